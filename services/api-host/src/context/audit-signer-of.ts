import { type AuditSigner, createAuditSigner, deriveAuditKey, parseAuditKey } from '@sluice/audit';
import { parseMasterKey } from '@sluice/auth';
import { type Secret, SettingsError } from '@sluice/config';

interface AuditKeySettings {
  readonly auditSigningKey: Secret | undefined;
  readonly masterKey: Secret;
}

/** Creates the signer with the configured key, or with one derived from the master key. Throws SettingsError. */
export function auditSignerOf({ auditSigningKey, masterKey }: AuditKeySettings): AuditSigner {
  try {
    return createAuditSigner(
      auditSigningKey === undefined
        ? deriveAuditKey(parseMasterKey(masterKey.reveal()))
        : parseAuditKey(auditSigningKey.reveal()),
    );
  } catch (thrown) {
    throw new SettingsError([`AUDIT_SIGNING_KEY ${thrown instanceof Error ? thrown.message : 'is not valid'}`]);
  }
}
