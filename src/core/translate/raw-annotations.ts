import { hasKey } from './controller-annotations.ts';

/**
 * Annotations that a controller pastes into its own configuration, or reads as rules of its own, by who reads them: what they say is past
 * every check here, so no wildcard of a profile means them, only their own name. From the reference of each (CVE-2021-25742, CVE-2023-5044).
 */
const RAW_KEYS: Readonly<Record<string, readonly string[]>> = {
  // lists of rules as JSON, with hosts of their own; a group shares one load balancer with whoever names it
  'AWS Load Balancer Controller': [
    'alb.ingress.kubernetes.io/actions.*',
    'alb.ingress.kubernetes.io/conditions.*',
    'alb.ingress.kubernetes.io/group.*',
  ],
  'HAProxy Ingress': [
    'haproxy-ingress.github.io/config-*',
    'haproxy-ingress.github.io/modsecurity-*',
    'haproxy-ingress.github.io/headers',
    'ingress.kubernetes.io/config-*',
    'ingress.kubernetes.io/headers',
  ],
  HAProxy: [
    'haproxy.org/route-acl',
    'haproxy.org/request-set-header',
    'haproxy.org/response-set-header',
    'haproxy.org/request-capture',
    'haproxy.org/path-rewrite',
    'haproxy.org/standalone-backend',
    'haproxy.com/route-acl',
  ],
  // a minion joins the server of another Ingress
  'NGINX (F5)': ['nginx.org/mergeable-ingress-type', 'nginx.org/rewrites'],
  // goes into the rule as it is, where `||` begins another one
  Traefik: ['traefik.ingress.kubernetes.io/router.pathmatcher', 'traefik.ingress.kubernetes.io/router.entrypoints'],
  Skipper: ['zalando.org/skipper-routes', 'zalando.org/skipper-predicate', 'zalando.org/skipper-filter', 'zalando.org/skipper-backend'],
  Ambassador: ['getambassador.io/config'],
  Tencent: ['kubernetes.io/ingress.http-rules'],
};
/** Whoever reads it, a snippet is configuration: `server-snippet`, `location-snippets`, `backend-config-snippet`. */
const SNIPPET = /snippets?$/;

/** Whether the annotation is configuration of the controller itself: never meant by a wildcard, only by its own name. */
export function isRawConfiguration(key: string): boolean {
  return SNIPPET.test(key) || hasKey(RAW_KEYS, key);
}
