/** Bounds on hostile input (CVE-2019-11253 and its kin). Far above what people write, far below what hurts. */
export const LIMITS = {
  /** bytes of one file */
  fileBytes: 16_777_216,
  /** characters of one document; etcd takes an object of 1.5 MiB, and ten thousand small ones fit into a List of this size */
  documentCharacters: 8_388_608,
  /** findings of one file that are listed; the others are counted */
  findings: 100,
  /** nested lists and maps; the largest CRDs in use stay below 40 */
  depth: 100,
  /** nodes of a document after its aliases are expanded */
  expandedNodes: 200_000,
  /** characters of a document after its aliases are expanded */
  expandedCharacters: 16_777_216,
} as const;
