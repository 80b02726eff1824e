/** Folders with a bundle.mjs. */
export const BUNDLED_FOLDERS = [
  'packages/query-worker',
  'packages/cli',
  'services/api-host',
  'services/stream-host',
  'services/embedded',
];
