import type { Command } from 'commander';
import { TenantplaneError } from '../errors.ts';
import type { ManifestFormat } from '../gitops/print-manifests.ts';
import type { RenderOptions } from './render-options.ts';

/** What a flag of `render` is given to instead, by what a command below it reads. */
const INSTEAD: Readonly<Record<'tree' | 'nothing', Readonly<Record<string, string>>>> = {
  tree: {
    '--check': 'Print it again and compare: tenantplane {command} | diff FILE -',
    '--diff': 'Print it again and compare: tenantplane {command} | diff FILE -',
    '--tenant': 'It prints what applies the whole tree; applicationset prints one object for all tenants.',
    other: 'It reads the tree as it was rendered: tenantplane render PATH {flag} first, where that is meant.',
  },
  nothing: { other: 'It reads no package; one is rendered with tenantplane render PATH {flag}.' },
};

/**
 * Refuses flags of `render` at the commands below it: the parser takes them for those of `render` wherever they stand, and nobody would read
 * them. `-o` is of both.
 */
export function refuseFlagsOfRender(render: Command): void {
  render.hook('preSubcommand', (_, command) => {
    const given = render.options.find((option) => option.long !== '--output' && isGiven(render, option.attributeName()));
    const flag = given?.long;
    if (flag === undefined || flag === null) return;
    const words = `render ${command.name()}`;
    const own = command.options.map(({ long }) => long).join(', ');
    const table = INSTEAD[command.registeredArguments[0]?.name() === 'path' ? 'tree' : 'nothing'];
    const hint = (table[flag] ?? table['other'] ?? '').replace('{command}', words).replace('{flag}', flag);
    throw new TenantplaneError('usage', `${flag} is a flag of render itself, and ${words} takes ${own}.`, { hint });
  });
}

/** The parser takes `-o` behind a command below `render` for that of `render` itself. */
export function formatOf(render: Command): ManifestFormat {
  if (!isGiven(render, 'output')) return 'yaml';
  const { kind } = render.opts<RenderOptions>().output;
  if (kind === 'yaml' || kind === 'json') return kind;
  throw new TenantplaneError('usage', `-o ${kind} does not go with what is printed here.`, { hint: 'Use -o yaml or -o json.' });
}

function isGiven(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === 'cli';
}
