import { apiHostSettings } from '../config.ts';

/** Every setting of `npm run tenant`, but for `remove`, which takes those of `audit:remove-tenant`. */
export const tenantCommandSettings = {
  databaseUrl: apiHostSettings.databaseUrl,
  issuerTemplate: apiHostSettings.issuerTemplate,
  invitationLifetimeMs: apiHostSettings.invitationLifetimeMs,
} as const;
