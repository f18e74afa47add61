/** The page under docs/ that a rule belongs to. */
export type Page =
  | 'audit'
  | 'concepts'
  | 'delivery'
  | 'dns'
  | 'errors'
  | 'how-to'
  | 'install'
  | 'isolation'
  | 'kinds'
  | 'kpt-functions'
  | 'names'
  | 'review'
  | 'secrets'
  | 'split-repositories'
  | 'threat-model';

/** Why a rule exists, in one sentence, and the page that tells more. */
export type Why = readonly [page: Page, sentence: string];

export type WhysOf<Registry> = Readonly<Record<keyof Registry, Why>>;
