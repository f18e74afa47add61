import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TenantplaneError } from '../errors.ts';

/** The text of a file that ships beside the program, as it does in a clone and in the npm package. */
export function packageFile(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, path))) return readFileSync(join(folder, path), 'utf8');
  throw new TenantplaneError('system', `${path} is not beside this program.`, {
    hint: 'Run tenantplane from a clone or from the npm package, which hold it.',
  });
}
