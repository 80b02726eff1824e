import { duration, list, readSettings, type SettingsOf, secretUrl } from '@sluice/config';
import { apiHostSettings } from '../config.ts';

const protocols = ['postgres:', 'postgresql:'];

/** Every setting of `audit:verify`. */
export const auditVerifySettings = {
  databaseUrl: secretUrl('DATABASE_URL', {
    description: 'PostgreSQL as any role that may read the audit tables. An export needs none.',
    protocols,
    optional: true,
  }),
  publicKeys: list('AUDIT_PUBLIC_KEYS', {
    description:
      'Public keys that are believed, 32 bytes in base64 each; without them, those that the database publishes.',
    optional: true,
  }),
} as const;

/** Every setting of `audit:retain` and `audit:remove-tenant`. */
export const auditOwnerSettings = {
  ownerUrl: secretUrl('DATABASE_OWNER_URL', {
    description: 'PostgreSQL as the role that owns the schema. No host needs it.',
    protocols,
  }),
  masterKey: apiHostSettings.masterKey,
  auditSigningKey: apiHostSettings.auditSigningKey,
  auditRetentionMs: apiHostSettings.auditRetentionMs,
} as const;

const keepOption = {
  keepMs: duration('--keep', { description: 'How long the records of a tenant are shown.', min: '1d', max: '36500d' }),
} as const;

/** The value of `--keep`; undefined for `default`. Throws SettingsError. */
export const keptMsOf = (value: string): number | undefined =>
  value === 'default' ? undefined : readSettings(keepOption, { '--keep': value }).settings.keepMs;

export type AuditVerifySettings = SettingsOf<typeof auditVerifySettings>;
