import { shellWord } from '../../core/decision/shell-word.ts';
import type { Refusal } from '../../kube/connection/kubeconfig.ts';
import type { CertificateProblem, Failure } from '../../kube/failure.ts';

/** What to do where a host is not reached. The flags may have been given already, so that none of it stops at naming them. */

export const NO_KUBECONFIG =
  'Name a kubeconfig with --kubeconfig or $KUBECONFIG. Where there is no host yet, kind create cluster makes one, and npm run up in a clone of tenantplane.';

export const POD_ACCOUNT =
  'Have the pod’s account mounted (automountServiceAccountToken), or name a host with --kubeconfig and --context, as kubectl has them.';

export const NO_API_SERVER: string =
  'Look what answers there: kubectl get --raw /version with the same --kubeconfig and --context. Another host is named with these two.';

/** @param kubeconfig the file that was named, as it was typed; undefined where it is kubectl's own */
export function kubeconfigHint(refusals: readonly Refusal[], there: boolean, kubeconfig: string | undefined): string {
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${shellWord(kubeconfig)}`;
  if (!there) return 'Name a file that is there with --kubeconfig, or leave it out for the one that kubectl reads.';
  return refusals.every(({ path }) => path === 'contexts' || path === 'current-context')
    ? `Name one with --context: kubectl config get-contexts${file} lists them.`
    : `Mend it there, or name another with --kubeconfig and --context: kubectl config view${file} prints what kubectl reads.`;
}

/** Which host is meant is not in doubt where the two sides do not take each other's certificates. */
const CERTIFICATES: Readonly<Record<'server' | 'client', Readonly<Record<CertificateProblem, string>>>> = {
  server: {
    untrusted:
      'The certificate authority in that kubeconfig did not sign it: the host was made anew, or another answers there. Get its kubeconfig again.',
    'wrong-name': 'Name the host in the kubeconfig as its certificate does, or set tls-server-name there.',
    expired: 'Renew the certificate of the API server; look whether the clock here is right.',
    'not-yet-valid': 'Look whether the clocks here and on the host are right.',
    refused: NO_API_SERVER,
  },
  client: {
    untrusted: 'The host does not know who signed your client certificate: get its kubeconfig again.',
    'wrong-name': 'The host does not take the client certificate of that kubeconfig: get its kubeconfig again.',
    expired: 'Your client certificate has expired: get the kubeconfig of the host again.',
    'not-yet-valid': 'Look whether the clocks here and on the host are right.',
    refused: 'The host does not take the client certificate of that kubeconfig: get its kubeconfig again.',
  },
};

const RUNS =
  'Look whether it runs, and whether kubectl reaches it: kubectl version with the same --kubeconfig and --context. Another host is named with these two.';
const WHO =
  'Look whom it takes you for: kubectl auth whoami with the same --kubeconfig and --context. Another host is named with these two.';

export function failureHint(failure: Failure): string {
  switch (failure.kind) {
    case 'certificate':
      return CERTIFICATES[failure.whose][failure.problem];
    case 'unreachable':
    case 'timeout':
      return RUNS;
    case 'credentials':
      return WHO;
    case 'too-large':
    case 'malformed':
      return NO_API_SERVER;
    case 'status':
      return failure.code === 401 || failure.code === 403
        ? WHO
        : failure.reason === ''
          ? NO_API_SERVER
          : "Look whether it is well: kubectl get --raw '/readyz?verbose' with the same --kubeconfig and --context. Another host is named with these two.";
  }
}
