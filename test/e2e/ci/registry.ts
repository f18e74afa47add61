import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../workspace.ts';

export interface Registry {
  readonly url: string;
  close(): void;
}

/** A registry on loopback that has one package in one version: ours, as it would be published. */
export async function startRegistry(tarball: string): Promise<Registry> {
  const content = readFileSync(tarball);
  const { name, version, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly bin: Readonly<Record<string, string>>;
  };
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  const server = createServer((request, response) => {
    if (request.url === `/${name}.tgz`) response.end(content);
    else if (request.url === `/${name}`) {
      const published = { name, version, bin, dist: { tarball: `${url}/${name}.tgz`, integrity } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: published } }));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
