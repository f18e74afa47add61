import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersionOf, kindOf } from '../../core/kube/object.ts';
import { HOST_FOLDER, READ, SKIPPED_FOLDERS } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { looksOurs } from './looks-ours.ts';

/** What a package has for itself, and a tenant's part of it has not. */
const CONFIGURATION: ReadonlySet<string> = new Set(['IsolationProfile', 'SyncPolicy', 'RenderTenant']);
const TENANT: ReadonlySet<string> = new Set(['TenantCluster']);
/** Resources, and what configures a function (`fn.tenantplane.io`). */
const GROUP = /^(?:fn\.)?tenantplane\.io\//;
const NOT_OURS: ReadonlySet<string> = new Set([...SKIPPED_FOLDERS, HOST_FOLDER, 'objects']);
/** Files that are opened to find out what a folder is; a listing ends there, since a folder with more says no more. */
const MOST_FILES = 500;

/** Whether a folder has a tree that we rendered, or configuration of its own, in it or one folder below. */
export function isPackage(folder: string): boolean {
  return isRendered(folder) || isConfigured(folder);
}

export function isRendered(folder: string): boolean {
  return yamlBelow(join(folder, HOST_FOLDER), 1)
    .slice(0, 20)
    .some((file) => looksOurs(readFileSync(file, 'utf8')));
}

/** Packages right below a folder that is none itself: each has a tree of its own. */
export function packagesBelow(folder: string): readonly string[] {
  return folders(folder).filter((name) => isRendered(join(folder, name)));
}

/** Folders right below that have tenants and configuration of their own, whether a render was there or not. */
export function wholePackagesBelow(folder: string): readonly string[] {
  return folders(folder).filter((name) => hasTenant(join(folder, name)) && isConfigured(join(folder, name)));
}

function isConfigured(folder: string): boolean {
  if (
    files(folder)
      .slice(0, MOST_FILES)
      .some((file) => holds(file, CONFIGURATION))
  )
    return true;
  // what lies beside tenants of its own is the configuration of another package
  return folders(folder).some((name) => {
    const below = join(folder, name);
    return (
      files(below)
        .slice(0, MOST_FILES)
        .some((file) => holds(file, CONFIGURATION)) && !hasTenant(below)
    );
  });
}

export function hasTenant(folder: string): boolean {
  return yamlBelow(folder, 3).some((file) => holds(file, TENANT));
}

/** Whether a file holds configuration of a package or of a tenant that no render made. */
export function isOwnConfiguration(file: string): boolean {
  return holds(file, CONFIGURATION) || holds(file, TENANT);
}

function holds(file: string, kinds: ReadonlySet<string>): boolean {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('tenantplane.io/') || looksOurs(text) || ![...kinds].some((kind) => text.includes(kind))) return false;
  return readDocuments(text, file).objects.some(({ object }) => kinds.has(kindOf(object)) && GROUP.test(apiVersionOf(object)));
}

function yamlBelow(folder: string, depth: number): readonly string[] {
  const here = files(folder);
  if (depth === 0 || here.length >= MOST_FILES) return here.slice(0, MOST_FILES);
  const below: string[] = [...here];
  for (const name of folders(folder)) {
    if (below.length >= MOST_FILES) break;
    below.push(...yamlBelow(join(folder, name), depth - 1));
  }
  return below;
}

function files(folder: string): readonly string[] {
  return entries(folder)
    .filter((entry) => entry.isFile() && READ.test(entry.name))
    .map(({ name }) => join(folder, name));
}

/** Folders that may hold configuration: no rendered tree, no tenant's objects. */
function folders(folder: string): readonly string[] {
  return entries(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_OURS.has(entry.name))
    .map(({ name }) => name);
}

function entries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // what may not be read is no package of the one who asks
    return [];
  }
}

/** Whether no folder above this one is asked: a repository ends there, or others could put a package into it. */
export function isOutermost(folder: string): boolean {
  return existsSync(join(folder, '.git')) || othersMayWrite(folder);
}

export function othersMayWrite(folder: string): boolean {
  return ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
}
