export { hexOf } from './byte-encodings.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  type Checkpoint,
  type CheckpointPayload,
  type DroppedRange,
  payloadHash,
  type RetentionSettings,
  readCheckpoint,
  signCheckpoint,
} from './checkpoint.ts';
export {
  type CheckpointRow,
  type ClassifyCheckpoint,
  createClassifyCheckpoint,
} from './classify-checkpoint.ts';
export { evidenceReadme } from './evidence/evidence-readme.ts';
export { EvidenceSummary } from './evidence/evidence-summary.ts';
export { EVIDENCE_MEMBERS, type EvidenceContent } from './evidence/manifest.ts';
export { verifyEvidencePackage } from './evidence/verify-evidence-package.ts';
export { type EvidenceMember, writeEvidencePackage } from './evidence/write-evidence-package.ts';
export { type ExactInteger, exactInteger } from './exact-integer.ts';
export { exportLines } from './export-file.ts';
export { EXPORT_FORMATS, type ExportFormat, signExport } from './export-format.ts';
export { type ExportRow, rowText } from './export-row.ts';
export type { Finding, Verdict } from './finding.ts';
export type { SealerClock, UnsealedRow } from './record-times.ts';
export { type ChainHead, type SealedRows, type SealingPass, sealRows } from './seal-rows.ts';
export { genesisHash, SEAL_VERSION, type SealedRecord } from './sealed-record.ts';
export { describeSetAside, readSetAside, type SetAside } from './set-aside-reports.ts';
export {
  type AuditSigner,
  createAuditSigner,
  deriveAuditKey,
  parseAuditKey,
  trustedKeys,
} from './signing-key.ts';
export { isSignedBy, keyIdOf, type TrustedKeys } from './trusted-keys.ts';
export { type CountMismatch, type ReceiptMismatch, verifyChain } from './verify-chain.ts';
export { verifyExport } from './verify-export.ts';
