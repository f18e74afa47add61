import { FUNCTION_GROUP, FUNCTION_SCHEMAS, type FunctionKind, VERSION } from './config-kinds.ts';
import type { JsonObject } from './json.ts';
import { crdOpenApi } from './openapi.ts';

export interface FunctionPackaging {
  /** folder under functions/, and first argument of tenantplane-fn */
  readonly name: string;
  readonly tags: readonly string[];
}

export const FUNCTIONS: Readonly<Record<FunctionKind, FunctionPackaging>> = {
  RenderTenant: { name: 'render-tenant', tags: ['mutator', 'generator', 'multi-tenancy'] },
  RenderSync: { name: 'render-sync', tags: ['mutator', 'generator', 'multi-tenancy'] },
  RenderIsolation: { name: 'render-isolation', tags: ['mutator', 'generator', 'multi-tenancy', 'security'] },
  ValidateTenant: { name: 'validate-tenant', tags: ['validator', 'multi-tenancy'] },
};

/** Machine-readable description of a function (KEP-2906, kyaml's KRMFunctionDefinition). */
export function functionDefinitionOf(kind: FunctionKind): JsonObject {
  const { name, tags } = FUNCTIONS[kind];
  return {
    apiVersion: 'config.kubernetes.io/v1alpha1',
    kind: 'KRMFunctionDefinition',
    metadata: { name },
    spec: {
      group: FUNCTION_GROUP,
      names: { kind },
      description: FUNCTION_SCHEMAS[kind].description,
      publisher: 'tenantplane',
      tags: [...tags],
      versions: [
        {
          name: VERSION,
          schema: { openAPIV3Schema: crdOpenApi(kind) },
          idempotent: true,
          usage: `functions/${name}/README.md`,
          license: 'Apache-2.0',
          runtime: { exec: { path: 'tenantplane-fn', args: [name] } },
        },
      ],
    },
  };
}
