/** How a value says in which namespace its object is. */
type Form =
  /** `namespace/name`, also several with commas between */
  | 'slash'
  /** `namespace:name`, also several with commas between */
  | 'colon'
  /** the value is a namespace */
  | 'namespace'
  /** `svc://namespace/name:port` */
  | 'service'
  /** namespace and name with a dash between, which says nothing for certain (`namespace-name@kubernetescrd`) */
  | 'dash';

/**
 * Annotations that name an object of a namespace in a form that is not rewritten. Those that are stand in `ingress-annotations.ts`. From the
 * reference of each controller.
 */
const FORMS: Readonly<Record<string, Form>> = {
  'traefik.ingress.kubernetes.io/router.middlewares': 'dash',
  'traefik.ingress.kubernetes.io/router.tls.options': 'dash',
  'traefik.ingress.kubernetes.io/service.serverstransport': 'dash',
  'konghq.com/plugins': 'colon',
  'projectcontour.io/tls-cert-namespace': 'namespace',
  'k8s.apisix.apache.org/svc-namespace': 'namespace',
  'nginx.org/policies': 'slash',
  'appprotect.f5.com/app-protect-policy': 'slash',
  'appprotect.f5.com/app-protect-security-log': 'slash',
  'appprotectdos.f5.com/app-protect-dos-resource': 'slash',
  'haproxy.org/cr-backend': 'slash',
  'haproxy-ingress.github.io/auth-url': 'service',
  'ingress.kubernetes.io/auth-url': 'service',
};

/** The namespaces that a value names, by its form; empty where one cannot be told. */
const NAMESPACES: Readonly<Record<Form, (value: string) => readonly string[]>> = {
  slash: (value) => prefixes(value, '/'),
  colon: (value) => prefixes(value, ':'),
  namespace: (value) => [value.trim()],
  service: (value) => {
    const target = /^\s*svc:\/\/([^:]*)/i.exec(value)?.[1];
    return target === undefined ? [] : prefixes(target, '/');
  },
  dash: (value) => (value.trim() === '' ? [] : ['']),
};

function prefixes(value: string, mark: string): string[] {
  return value.split(',').flatMap((item) => (item.includes(mark) ? [item.slice(0, item.indexOf(mark)).trim()] : []));
}

/** Why an annotation may not stay that names an object of a namespace; undefined where it names none but the tenant's own. */
export function foreignAnnotationProblem(key: string, value: string, namespace: string): string | undefined {
  const form = Object.hasOwn(FORMS, key) ? FORMS[key] : undefined;
  if (form === undefined) return undefined;
  const named = NAMESPACES[form](value).find((one) => one !== namespace);
  if (named === undefined) return undefined;
  return named === ''
    ? 'it names an object with its namespace, which may be another’s'
    : `it names namespace ${named.slice(0, 63)}, which is not the tenant’s`;
}
