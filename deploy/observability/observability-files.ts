import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { kustomization } from '../install/install-files.ts';
import { LABELS, SELECTOR } from '../install/labels.ts';
import { ALERTS, type Alert } from './alert-rows.ts';
import { dashboardJson } from './dashboard-json.ts';
import { DASHBOARDS } from './panel-rows.ts';

const HEADER = '# Generated from deploy/observability by `npm run generate`. Do not edit.\n';
/** In the repository and in the npm package; nobody's site. */
const RUNBOOKS = 'docs/observability.md';

/** Alerts as Prometheus reads them and as its operator does, dashboards, and what makes the operator scrape the reconciler. */
export function observabilityFiles(): ReadonlyMap<string, string> {
  const dashboards = DASHBOARDS.map(({ uid }) => `${uid}.json`);
  return new Map([
    ...DASHBOARDS.map((dashboard): [string, string] => [
      `deploy/observability/${dashboard.uid}.json`,
      `${JSON.stringify(dashboardJson(dashboard), undefined, 1)}\n`,
    ]),
    ['deploy/observability/alerts.yaml', `${HEADER}${emitYaml(RULES)}`],
    ['deploy/observability/prometheusrule.yaml', `${HEADER}${emitYaml(monitoring('PrometheusRule', RULES))}`],
    ['deploy/observability/servicemonitor.yaml', `${HEADER}${emitYaml(monitoring('ServiceMonitor', MONITOR))}`],
    [
      'deploy/observability/kustomization.yaml',
      `${HEADER}${kustomization(['prometheusrule.yaml', 'servicemonitor.yaml'], { configMapGenerator: [configMap(dashboards)] })}`,
    ],
    ['deploy/overlays/prometheus/kustomization.yaml', `${HEADER}${kustomization(['../../base', '../../observability'])}`],
  ]);
}

const RULES: JsonObject = { groups: [{ name: 'tenantplane', rules: ALERTS.map(ruleOf) }] };

const MONITOR: JsonObject = {
  selector: { matchLabels: { ...SELECTOR } },
  endpoints: [{ port: 'metrics', interval: '30s' }],
};

function ruleOf({ name, expr, for: time, severity, summary, remedy }: Alert): JsonObject {
  return {
    alert: name,
    expr,
    ...(time !== '0m' && { for: time }),
    labels: { severity },
    annotations: { summary, description: remedy, runbook_url: `${RUNBOOKS}#${name.toLowerCase()}` },
  };
}

function monitoring(kind: string, spec: JsonObject): JsonObject {
  const metadata = { name: RECONCILER.name, namespace: RECONCILER.namespace, labels: { ...LABELS } };
  return { apiVersion: 'monitoring.coreos.com/v1', kind, metadata, spec };
}

/** Found by the sidecar of Grafana's chart by its label. */
function configMap(files: readonly string[]): JsonObject {
  return {
    name: 'tenantplane-dashboards',
    namespace: RECONCILER.namespace,
    files: [...files],
    options: { disableNameSuffixHash: true, labels: { ...LABELS, grafana_dashboard: '1' } },
  };
}
