import type { Image, Layer } from '../image-archive.ts';

/** What a pod's first container runs, which holds its network: it does nothing. */
export const PAUSE: Image = { name: 'tenantplane.local/bed/pause:1', entrypoint: ['/bin/busybox', 'sleep', '2147483647'], env: [] };
export const PAUSE_LAYER: Layer = { files: { 'bin/busybox': '/bin/busybox' }, links: {} };
