export { canonicalJson } from './canonical-json.ts';
export type { ChainEntry } from './check-link.ts';
export {
  type Checkpoint,
  type CheckpointPayload,
  type DroppedRange,
  payloadHash,
  type RetentionSettings,
  readCheckpoint,
  signCheckpoint,
} from './checkpoint.ts';
export { EXPORT_FORMATS, type ExportFormat, type ExportPayload, signExport } from './export-format.ts';
export { type ExportRow, rowText } from './export-row.ts';
export type { Finding, Verdict } from './finding.ts';
export type { SealerClock, UnsealedRow } from './record-times.ts';
export { type ChainHead, type ChainLink, type SealedRows, type SealingPass, sealRows } from './seal-rows.ts';
export {
  chainHash,
  genesisHash,
  SEAL_VERSION,
  type SealedRecord,
  sealedText,
} from './sealed-record.ts';
export {
  type AuditSigner,
  createAuditSigner,
  deriveAuditKey,
  keyIdOf,
  parseAuditKey,
  type SignedPayload,
  type TrustedKeys,
  trustedKeys,
} from './signing-key.ts';
export { type ChainToVerify, type CountMismatch, type ReceiptMismatch, verifyChain } from './verify-chain.ts';
export { type ExportToVerify, verifyExport } from './verify-export.ts';
