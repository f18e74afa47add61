/** Filled in by the build; a run from source says so. */
export const VERSION: string = process.env['TENANTPLANE_VERSION'] ?? '0.0.0-source';
