import type { ObjectModel, ReportModel } from './model.ts';

/** Where a page leads for an object: to itself where it holds everything, to another file where pages are many. */
export interface Links {
  readonly object: (object: ObjectModel) => string;
  /** by the path of the host file; undefined where nothing of that path is told */
  readonly host: (file: string) => string | undefined;
}

/** @param pageOf the file that tells of an object, relative to the page that links; '' for that page */
export function linksOf(model: Pick<ReportModel, 'tenants' | 'shared'>, pageOf: (object: ObjectModel) => string = () => ''): Links {
  const object = (item: ObjectModel): string => `${pageOf(item)}#${item.id}`;
  const byFile = new Map<string, ObjectModel>();
  for (const item of [...model.tenants.flatMap(({ objects }) => objects), ...model.shared]) {
    const file = item.decision.host?.file;
    if (file !== undefined && item.host !== undefined) byFile.set(file, item);
  }
  return {
    object,
    host: (file) => {
      const item = byFile.get(file);
      return item === undefined ? undefined : object(item);
    },
  };
}
