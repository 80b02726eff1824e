import type { SettingsOf } from '@sluice/config';
import { apiHostSettings } from '../config.ts';

/** Settings of `npm run tenant`, except of its commands `export` and `remove`, which have those of `audit:retain`. */
export const tenantCommandSettings = {
  databaseUrl: apiHostSettings.databaseUrl,
  issuerTemplate: apiHostSettings.issuerTemplate,
  invitationLifetimeMs: apiHostSettings.invitationLifetimeMs,
} as const;

export type TenantCommandSettings = SettingsOf<typeof tenantCommandSettings>;
