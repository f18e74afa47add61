import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, createReadStream, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file system that several images share. */
export interface Layer {
  /** path in the image to path on this machine */
  readonly files: Readonly<Record<string, string>>;
  /** path in the image to what it points at */
  readonly links: Readonly<Record<string, string>>;
}

export interface Image {
  /** with its registry and tag */
  readonly name: string;
  readonly entrypoint: readonly string[];
  readonly env: readonly string[];
}

/** Writes an archive of images that differ in their settings alone, in the form that `podman save` gives. @returns its path */
export async function writeImageArchive(folder: string, { files, links }: Layer, images: readonly Image[]): Promise<string> {
  const tree = join(folder, 'tree');
  const place = (path: string): string => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    return join(tree, path);
  };
  for (const [path, source] of Object.entries(files)) copyFileSync(source, place(path));
  for (const [path, target] of Object.entries(links)) symlinkSync(target, place(path));
  mkdirSync(join(tree, 'tmp'), { mode: 0o1777, recursive: true });
  // the same tree gives the same bytes, whoever made it and when
  tar(['-cf', join(folder, 'layer.tar'), '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--mode=a+rX', '-C', tree, '.']);
  const diff = `sha256:${await sha256(join(folder, 'layer.tar'))}`;
  const manifest = images.map(({ name, entrypoint, env }) => {
    const config = JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: { Entrypoint: entrypoint, Env: ['PATH=/bin', ...env] },
      rootfs: { type: 'layers', diff_ids: [diff] },
    });
    const file = `${createHash('sha256').update(config).digest('hex')}.json`;
    writeFileSync(join(folder, file), config);
    return { Config: file, RepoTags: [name], Layers: ['layer.tar'] };
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const archive = join(folder, 'images.tar');
  tar(['-cf', archive, '-C', folder, 'manifest.json', 'layer.tar', ...manifest.map(({ Config }) => Config)]);
  return archive;
}

async function sha256(file: string): Promise<string> {
  const hasher = createHash('sha256');
  await pipeline(createReadStream(file), hasher);
  return hasher.digest('hex');
}

function tar(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar ${args.join(' ')}: ${error?.message ?? stderr}`);
}
