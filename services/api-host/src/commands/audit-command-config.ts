import { duration, list, readSettings, type SettingsOf, secretUrl } from '@sluice/config';
import { apiHostSettings } from '../config.ts';

const PROTOCOLS = ['postgres:', 'postgresql:'];

/** Settings of `audit:verify`. */
export const auditVerifySettings = {
  databaseUrl: secretUrl('DATABASE_URL', {
    description:
      'PostgreSQL as any role that may read the audit tables. Not needed for an export or an evidence package.',
    protocols: PROTOCOLS,
    optional: true,
  }),
  publicKeys: list('AUDIT_PUBLIC_KEYS', {
    description: 'Trusted public keys, 32 bytes in base64 each. Default: the keys that the database publishes.',
    optional: true,
  }),
} as const;

/** Settings of `audit:retain`, and of the export and the removal of a tenant. */
export const auditOwnerSettings = {
  ownerUrl: secretUrl('DATABASE_OWNER_URL', {
    description: 'PostgreSQL as the role that owns the schema. Hosts do not need it.',
    protocols: PROTOCOLS,
  }),
  masterKey: apiHostSettings.masterKey,
  auditSigningKey: apiHostSettings.auditSigningKey,
  auditRetentionMs: apiHostSettings.auditRetentionMs,
} as const;

const keepOption = {
  keepMs: duration('--keep', {
    description: 'Time for which the records of a tenant are shown.',
    min: '1d',
    max: '36500d',
  }),
} as const;

/** Returns the value of `--keep`; undefined for `default`. Throws SettingsError. */
export const toRetentionMs = (value: string): number | undefined =>
  value === 'default' ? undefined : readSettings(keepOption, { '--keep': value }).settings.keepMs;

export type AuditVerifySettings = SettingsOf<typeof auditVerifySettings>;
