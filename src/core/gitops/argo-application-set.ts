import type { JsonObject } from '../kube/json.ts';
import { applicationNameTemplate, projectName } from './applier-names.ts';
import { type ArgoSettings, applicationMetadata, applicationSpec } from './argo-application.ts';

const FIELD = '.path.basename';
const FOLDER = `{{ ${FIELD} }}`;

/** One Application for each folder of a tenant, those to come included. */
export function argoApplicationSet(settings: ArgoSettings): JsonObject {
  const project = settings.project ?? projectName(settings.name, { path: FOLDER });
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
        metadata: applicationMetadata(applicationNameTemplate(settings.name, FIELD), 'tenant'),
        spec: applicationSpec({ ...settings, project }, '{{ .path.path }}', FOLDER),
      },
    },
  };
}
