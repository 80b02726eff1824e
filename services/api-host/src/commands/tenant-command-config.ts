import type { SettingsOf } from '@sluice/config';
import { apiHostSettings } from '../config.ts';

/** Settings of `npm run tenant`, except of its command `remove`, which has the settings of `audit:remove-tenant`. */
export const tenantCommandSettings = {
  databaseUrl: apiHostSettings.databaseUrl,
  issuerTemplate: apiHostSettings.issuerTemplate,
  invitationLifetimeMs: apiHostSettings.invitationLifetimeMs,
} as const;

export type TenantCommandSettings = SettingsOf<typeof tenantCommandSettings>;
