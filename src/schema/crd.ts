import { GROUP, RESOURCE_SCHEMAS, type ResourceKind, VERSION } from './config-kinds.ts';
import type { JsonObject } from './json.ts';
import { crdOpenApi } from './openapi.ts';

/** The CustomResourceDefinition of a kind. Every kind has a status subresource, so that its writers are apart. */
export function crdOf(kind: ResourceKind): JsonObject {
  const schema = RESOURCE_SCHEMAS[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${schema.plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: schema.scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural: schema.plural,
        singular: schema.singular,
        shortNames: [...schema.shortNames],
        categories: ['tenantplane'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: schema.printerColumns.map((column) => ({ ...column })),
          schema: { openAPIV3Schema: crdOpenApi(kind) },
        },
      ],
    },
  };
}
