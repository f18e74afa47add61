import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { ROOT, scratch } from '../workspace.ts';
import { startRegistry } from './registry.ts';
import { must, type Repository } from './repository.ts';
import { action, bash, type Ended, filled, gitlabJob, holds } from './steps.ts';

export interface Runners {
  action(repo: Repository, port: number, asked?: ActionAsked): Promise<ActionEnded>;
  job(repo: Repository, port: number, variables?: Readonly<Record<string, string>>): Promise<Ended>;
}

export interface ActionAsked {
  readonly inputs?: Readonly<Record<string, string>>;
  /** the repository that the pull request comes from */
  readonly head?: string;
}

export interface ActionEnded {
  /** of the steps that ran, by name */
  readonly steps: readonly (Ended & { readonly name: string })[];
  readonly summary: string;
}

/** Runs the steps of both templates with the version that they name, installed once, and with nothing of this machine but its programs. */
export function startRunners(): Runners {
  let registry = '';
  /** npm's, new for each run of the tests, since npx keeps what it once installed of a version */
  let cache = '';
  beforeAll(async () => {
    cache = mkdtempSync(join(tmpdir(), 'tenantplane-npm-'));
    const tarball = join(cache, must('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', cache], ROOT));
    const published = await startRegistry(tarball);
    registry = published.url;
    for (const wanted of new Set([action().inputs['tenantplane']?.default, gitlabJob().variables['TENANTPLANE']])) {
      const install = `npx --yes --package '${wanted}' -- tenantplane --version`;
      const { code, out } = await bash(install, cache, { ...machine(cache), npm_config_offline: 'false' });
      expect(code, out).toBe(0);
    }
    // npx runs what it has
    published.close();
  });
  afterAll(() => rmSync(cache, { recursive: true, force: true }));

  const machine = (folder: string): Record<string, string> => ({
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    npm_config_cache: cache,
    npm_config_registry: registry,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  });

  return {
    /** Every step of the action, as its conditions say. */
    async action({ folder, base }, port, { inputs: asked = {}, head = 'org/repo' } = {}) {
      const { inputs, runs } = action();
      const given: Record<string, string> = {
        package: 'fleet',
        base,
        'pull-request': '12',
        token: 'secret',
        ...asked,
      };
      const context: Record<string, string> = {
        'github.server_url': 'https://github.example',
        'github.repository': 'org/repo',
        'github.run_id': '99',
        'github.event_name': 'pull_request',
        'github.event.pull_request.head.repo.full_name': head,
        ...Object.fromEntries(Object.entries(inputs).map(([name, row]) => [`inputs.${name}`, given[name] ?? row.default])),
      };
      const home = scratch();
      const steps: (Ended & { name: string })[] = [];
      for (const step of runs.steps) {
        const wanted = holds(
          step.if,
          context,
          steps.some(({ code }) => code !== 0),
        );
        if (step.id !== undefined) context[`steps.${step.id}.outcome`] = 'skipped';
        if (!wanted) continue;
        const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, context)]));
        const runner = {
          ...machine(home),
          GITHUB_REPOSITORY: 'org/repo',
          GITHUB_STEP_SUMMARY: join(home, 'summary.md'),
          GH_HOST: 'github.localhost',
          HTTP_PROXY: `http://127.0.0.1:${port}`,
        };
        const ended = await bash(step.run, folder, { ...runner, ...env });
        steps.push({ name: step.name, ...ended });
        if (step.id !== undefined) context[`steps.${step.id}.outcome`] = ended.code === 0 ? 'success' : 'failure';
      }
      const summary = join(home, 'summary.md');
      return { steps, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
    },

    async job({ folder, base }, port, asked = {}) {
      const { variables, before_script, script } = gitlabJob();
      const env = {
        ...machine(scratch()),
        ...variables,
        TENANTPLANE_TOKEN: 'secret',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
        CI_PROJECT_ID: '5',
        CI_MERGE_REQUEST_IID: '7',
        CI_JOB_URL: 'https://gitlab.example/org/repo/-/jobs/3',
        ...asked,
      };
      return bash([...before_script, ...script].join('\n'), folder, env);
    },
  };
}
