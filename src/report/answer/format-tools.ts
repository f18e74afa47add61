import type { JsonObject } from '../../core/kube/json.ts';
import type { TextStyle } from '../text.ts';

/** What a printer cannot know by itself. */
export interface FormatTools {
  readonly style: TextStyle;
  /** YAML is emitted by the layer that knows it */
  readonly yaml: (document: JsonObject) => string;
  /** a source path of the plan, from the root of the repository */
  readonly repoPath: (path: string) => string;
}
