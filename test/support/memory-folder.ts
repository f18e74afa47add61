import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** Tests remove what they made, so that all that stands at one time is some tens of megabytes. */
const ENOUGH_BYTES = 1024 ** 3;

/**
 * Where tests make their scratch folders: in memory, where Linux offers that. They make and remove thousands of files, for which a disk is slow:
 * ext4 without a journal reads, for each file that is made, every inode that was freed in the last minutes (`recently_deleted` in
 * fs/ext4/ialloc.c).
 * @returns a folder that has room and in which programs may run; the one that Docker makes is too small, and allows none
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    // the last mount of a place is the one that is seen
    const [, , type, options = ''] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .findLast(([, place]) => place === FOLDER) ?? [];
    return type === 'tmpfs' && !options.split(',').includes('noexec') && bavail * bsize > ENOUGH_BYTES ? FOLDER : undefined;
  } catch {
    return undefined;
  }
}
