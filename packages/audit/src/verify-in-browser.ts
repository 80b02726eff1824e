/** Verification of evidence packages without anything of Node.js. The console bundles it. */
export { base64Of, bytesOfBase64 } from './byte-encodings.ts';
export { readCheckpoint } from './checkpoint.ts';
export { EvidenceFileError, type EvidenceSource } from './evidence/evidence-source.ts';
export type { EvidenceManifest } from './evidence/manifest.ts';
export { type CheckpointCopy, SAVED_CHECKPOINT } from './evidence/saved-checkpoint.ts';
export { type EvidenceVerdict, rejectUnreadable, verifyEvidence } from './evidence/verify-evidence.ts';
export type { Finding, RecordPosition } from './finding.ts';
export type { Sha256 } from './node-sha256.ts';
export { keyIdOf, type PublicKey, type SignedPayload, type TrustedKeys } from './trusted-keys.ts';
