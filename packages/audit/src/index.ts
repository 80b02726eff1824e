export { canonicalJson } from './canonical-json.ts';
export type { ChainEntry } from './check-link.ts';
export {
  type Checkpoint,
  type CheckpointPayload,
  type DroppedRange,
  payloadHash,
  readCheckpoint,
  signCheckpoint,
} from './checkpoint.ts';
export { EXPORT_FORMATS, type ExportFormat, type ExportPayload, signExport } from './export-format.ts';
export { type ExportRow, rowText } from './export-row.ts';
export type { Finding, Verdict } from './finding.ts';
export { type ChainHead, type ChainLink, type SealedRows, sealRows } from './seal-rows.ts';
export { chainHash, genesisHash, type SealedRecord, sealedText } from './sealed-record.ts';
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
export { type ChainToVerify, type StrangeRow, verifyChain } from './verify-chain.ts';
export { type ExportToVerify, verifyExport } from './verify-export.ts';
