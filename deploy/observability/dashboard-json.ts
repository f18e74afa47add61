import type { JsonObject } from '../../src/schema/json.ts';
import type { Dashboard, Panel } from './panel-rows.ts';

const COLUMNS = 24;
const HEIGHT: Readonly<Record<Panel['type'], number>> = { stat: 4, timeseries: 8, table: 8, 'state-timeline': 8 };
/** The variable by which a dashboard finds Prometheus: chosen at the top of it, or while it is imported. No id of any Grafana is in it. */
const SOURCE = { type: 'prometheus', uid: `\${DS_PROMETHEUS}` } as const;

/** A dashboard as Grafana 10 and later read it, from a file, a ConfigMap or the import page. */
export function dashboardJson({ uid, title, rows }: Dashboard): JsonObject {
  return {
    uid,
    title,
    tags: ['tenantplane'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'DS_PROMETHEUS', label: 'Prometheus', type: 'datasource', query: 'prometheus', refresh: 1, hide: 0, options: [] }],
    },
    panels: placed(rows),
  };
}

function placed(rows: Dashboard['rows']): JsonObject[] {
  const panels: JsonObject[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    let [x, tallest] = [0, 0];
    y += 1;
    for (const panel of row.panels) {
      if (x + panel.width > COLUMNS) {
        y += tallest;
        [x, tallest] = [0, 0];
      }
      const h = HEIGHT[panel.type];
      panels.push(panelJson(panel, panels.length + 1, { x, y, w: panel.width, h }));
      x += panel.width;
      tallest = Math.max(tallest, h);
    }
    y += tallest;
  }
  return panels;
}

function panelJson({ title, type, unit, queries }: Panel, id: number, gridPos: JsonObject): JsonObject {
  // what is of one moment is asked for once, not for each step of the time that is shown
  const instant = type === 'stat' || type === 'table';
  return {
    id,
    type,
    title,
    datasource: { ...SOURCE },
    gridPos,
    fieldConfig: { defaults: { unit }, overrides: [] },
    options: {},
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: { ...SOURCE },
      expr,
      legendFormat: legend === '' ? title : legend,
      instant,
      range: !instant,
      ...(type === 'table' && { format: 'table' }),
    })),
  };
}
