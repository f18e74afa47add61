import type { JsonObject } from '../kube/json.ts';
import { projectName } from './applier-names.ts';
import { type ArgoSettings, applicationMetadata, applicationSpec } from './argo-application.ts';

const FOLDER = '{{ .path.basename }}';

/** One Application for each folder of a tenant, those to come included. */
export function argoApplicationSet(settings: ArgoSettings): JsonObject {
  const name = projectName(settings.name, { path: FOLDER });
  const project = settings.project ?? name;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: `${settings.name}-tenants`, namespace: settings.namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          git: {
            repoURL: settings.repo,
            revision: settings.revision,
            directories: [
              { path: `${settings.path}/*` },
              { path: `${settings.path}/platform`, exclude: true },
              { path: `${settings.path}/config`, exclude: true },
            ],
          },
        },
      ],
      template: {
        metadata: applicationMetadata(name, 'tenant'),
        spec: applicationSpec({ ...settings, project }, '{{ .path.path }}', FOLDER),
      },
    },
  };
}
