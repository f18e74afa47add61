import { digest, hexDigest } from '../identity/digest.ts';
import type { TreeFolder } from './tree-folders.ts';

/**
 * The name of a Kustomization: `<prefix>-team-dev`, `<prefix>-team-dev.shard-03`. Flux writes it on objects as a label, so it is no
 * longer than one.
 *
 * Injective for a prefix: neither it nor a namespace holds a dot, so the dot divides tenant and part. A cut name ends in one and twelve
 * characters of a digest, which no part is (`isolation`, `shard-03`).
 */
export function kustomizationName(prefix: string, path: string): string {
  const name = `${prefix}-${path.replaceAll('/', '.')}`;
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - DIGEST_LENGTH - 1).replace(/[-.]+$/, '')}.${digest([name], DIGEST_LENGTH)}`;
}

const LONGEST = 63;
const DIGEST_LENGTH = 12;
const HEX_LENGTH = 15;

/**
 * The name of an Application. An ApplicationSet has to make the same one, or a change from the one to the other would make a tenant's
 * Application anew; its templates know SHA-256 in hexadecimal only, so a cut name ends in a dot and that: 60 bits as well.
 */
export function applicationName(prefix: string, folder: string): string {
  const name = `${prefix}-${folder}`;
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - HEX_LENGTH - 1).replace(/^-+|-+$/g, '')}.${hexDigest(name, HEX_LENGTH)}`;
}

/** The same as a Go template with the functions of Sprig. @param folder a field of the template, such as `.path.basename` */
export function applicationNameTemplate(prefix: string, folder: string): string {
  const cut = `{{ $name | trunc ${LONGEST - HEX_LENGTH - 1} | trimAll "-" }}.{{ $name | sha256sum | trunc ${HEX_LENGTH} }}`;
  return `{{ $name := printf "${prefix}-%s" ${folder} }}{{ if gt (len $name) ${LONGEST} }}${cut}{{ else }}{{ $name }}{{ end }}`;
}

/** Of an AppProject: never a label and so never cut, since the template of an ApplicationSet has to make the same name. */
export function projectName(prefix: string, { path }: Pick<TreeFolder, 'path'>): string {
  return `${prefix}-${path}`;
}
