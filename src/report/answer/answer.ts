import type { JsonObject } from '../../core/kube/json.ts';
import type { Issue } from '../issues.ts';
import type { ReportKind } from '../schemas/report-kinds.ts';
import type { TextStyle } from '../text.ts';

/**
 * What a command found out, in all the shapes that printers need. A command fills it once; a format is a row of `FORMATS`.
 * Strings are as tenants wrote them: each printer makes them safe for its own sink. Values of Secrets are never in it.
 */
export interface Answer {
  /** kind of the JSON document; its apiVersion is `report.tenantplane.io/v1alpha1` */
  readonly kind: ReportKind;
  /** one line that says what was asked, for headings */
  readonly title: string;
  /** the document without apiVersion and kind: `-o json`, `-o yaml` */
  readonly document: JsonObject;
  /** a line each of `-o ndjson` */
  readonly items: readonly JsonObject[];
  /** `-o table`, `wide`, `markdown`, `html` */
  readonly tables: readonly AnswerTable[];
  /** `-o tree` */
  readonly trees: readonly TreeNode[];
  /** `-o dot`, `mermaid`, `svg`; where there is none the tree is drawn */
  readonly graph?: AnswerGraph;
  /** what someone should look at: `-o sarif`, `junit`, `github`, `gitlab` */
  readonly issues: readonly Issue[];
  /** what was looked at, such as all tenants (`namespace/name`): one without an issue passes in `-o junit` */
  readonly subjects?: readonly string[];
  /** what people read by default; where there is none the tables are printed */
  text?(style: TextStyle): string;
}

export interface AnswerTable {
  readonly title?: string;
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly AnswerRow[];
  /** says what the issues say: left out where those are listed anyway */
  readonly ofIssues?: true;
}

export interface AnswerColumn {
  readonly name: string;
  /** only in `wide`, and in formats that have room */
  readonly wide?: true;
  /** cells may be wrapped where a table is wider than a terminal, down to this width; never in `wide` */
  readonly wrap?: number;
}

export interface AnswerRow {
  readonly cells: readonly string[];
  /** sign and colour of the row, where it has one: `+ ~ - ! ? = .` */
  readonly sign?: Sign;
}

export type Sign = '+' | '~' | '-' | '!' | '?' | '=' | '.';

export interface TreeNode {
  readonly text: string;
  readonly sign?: Sign;
  readonly children: readonly TreeNode[];
}

export interface AnswerGraph {
  readonly nodes: readonly { readonly id: string; readonly label: string; readonly group: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label?: string }[];
}
