import { apiHostSettings } from '../config.ts';

/** Settings of `npm run keys:rewrap`: those of an API host. */
export const keysCommandSettings = {
  databaseUrl: apiHostSettings.databaseUrl,
  masterKey: apiHostSettings.masterKey,
  masterKeyPrevious: apiHostSettings.masterKeyPrevious,
} as const;
