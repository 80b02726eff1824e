/** Verification of exports and evidence packages, without what signs and writes them. The command line bundles it. */
export type { EvidenceManifest } from './evidence/manifest.ts';
export { type EvidenceVerdict, verifyEvidencePackage } from './evidence/verify-evidence-package.ts';
export type { ExportPayload } from './export-format.ts';
export { exportLines } from './export-lines.ts';
export type { Finding, Verdict } from './finding.ts';
export { keyIdOf, type TrustedKeys, trustedKeys } from './signing-key.ts';
export { type ExportVerdict, verifyExport } from './verify-export.ts';
