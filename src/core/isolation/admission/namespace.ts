import { KEY } from '../../identity/metadata.ts';
import { text } from './cel.ts';

/** CEL of what a namespace says of itself; only trusted writers write it (`nsu`). */

/** Whose it is. */
export const TENANT: string = `namespaceObject.metadata.labels[${text(KEY.tenant)}]`;

/** The label that its objects carry, for people. */
export const TENANT_LABEL: string = `${text(`${KEY.tenant}: `)} + ${TENANT}`;
