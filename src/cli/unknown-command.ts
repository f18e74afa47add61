import type { Command } from 'commander';
import { nearest } from '../schema/nearest.ts';
import { isListed } from './commands/not-here.ts';
import { TenantplaneError } from './errors.ts';

/** What other tools call what we do. */
const ALSO: Readonly<Record<string, string>> = {
  build: 'render',
  generate: 'render',
  template: 'render',
  check: 'validate',
  lint: 'validate',
  test: 'validate',
  create: 'init',
  new: 'init',
};

/** What kubectl or another tool’s command does, and where people look for it here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  apply: 'Did you mean render? What it writes is applied by kubectl, Argo CD or Flux; tenantplane up applies a package to try it.',
  get: 'kubectl get tenantclusters -A lists the tenants of a host, and how each is.',
  status: 'kubectl get tenantclusters -A lists the tenants of a host, and how each is.',
  describe: 'kubectl describe tenantcluster -n NAMESPACE NAME tells the conditions of a tenant.',
  list: 'kubectl get tenantclusters -A lists the tenants of a host, and how each is.',
  connect: 'Did you mean kubeconfig? tenantplane kubeconfig NAMESPACE/NAME prints how a tenant’s API is reached.',
  pause: 'kubectl annotate tenantcluster -n NAMESPACE NAME tenantplane.io/paused=true has the reconciler change nothing.',
  resume: 'kubectl annotate tenantcluster -n NAMESPACE NAME tenantplane.io/paused- has the reconciler go on.',
  logs: 'kubectl logs -n tenantplane-system deploy/tenantplane-reconciler prints those of the reconciler; tenantplane up prints its own.',
  delete:
    'tenantplane down NAMESPACE/NAME takes a tenant off a host that up put it on; in Git, remove the tenant’s folder and render again.',
};

/** A command that there is not, with the one that was probably meant: by spelling, by its beginning, by another tool's word. */
export function unknownCommand(word: string, program: Command): TenantplaneError {
  if (Object.hasOwn(ELSEWHERE, word)) return new TenantplaneError('usage', `There is no command ${word}.`, { hint: ELSEWHERE[word] ?? '' });
  const names = program.commands.filter(isListed).map((command) => command.name());
  const begun = word.length < 3 ? [] : names.filter((name) => name.startsWith(word.toLowerCase()));
  const meant = Object.hasOwn(ALSO, word) ? ALSO[word] : begun.length === 1 ? begun[0] : nearest(word, names);
  return new TenantplaneError('usage', `There is no command ${word}.`, {
    hint: meant === undefined ? `Its commands are ${names.join(', ')}.` : `Did you mean ${meant}? tenantplane help lists the commands.`,
  });
}
