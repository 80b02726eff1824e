/** Verification of exports and evidence packages, without what signs and writes them. The command line bundles it. */
export type { EvidenceManifest } from './evidence/manifest.ts';
export type { EvidenceVerdict } from './evidence/verify-evidence.ts';
export { verifyEvidencePackage } from './evidence/verify-evidence-package.ts';
export { exportLines } from './export-file.ts';
export type { ExportPayload } from './export-format.ts';
export type { Finding, Verdict } from './finding.ts';
export { describeSetAside } from './set-aside-reports.ts';
export { trustedKeys } from './signing-key.ts';
export { keyIdOf, type TrustedKeys } from './trusted-keys.ts';
export { type ExportVerdict, verifyExport } from './verify-export.ts';
