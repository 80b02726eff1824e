import type { AuditSigner } from '../signing-key.ts';

/** Names of the members of an evidence package, in the order in which they are written. */
export const EVIDENCE_MEMBERS = {
  readme: 'README.md',
  publicKeys: 'public-keys.json',
  checkpoints: 'checkpoints.ndjson',
  export: 'audit.ndjson',
  summary: 'summary.csv',
} as const;

export const MANIFEST = 'manifest.json';
/** 64 bytes: Ed25519 (RFC 8032) over the bytes of the manifest. */
export const MANIFEST_SIGNATURE = 'manifest.sig';

export interface MemberDigest {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface EvidenceRange {
  /** Name of the tenant. */
  readonly tenant: string;
  /** Epoch milliseconds, inclusive. */
  readonly start: number;
  /** Epoch milliseconds, exclusive. */
  readonly end: number;
  /** Epoch milliseconds. Records before this time are hidden by the retention of the tenant. */
  readonly visible_from: number;
}

/** Content of `manifest.json`. */
export interface EvidenceManifest extends EvidenceRange {
  readonly kind: 'evidence';
  readonly v: 1;
  readonly tenant_id: string;
  readonly records: number;
  /** First sequence number of the export; null when there are no records. */
  readonly first: number | null;
  /** Last sequence number of the export; null when there are no records. */
  readonly last: number | null;
  /** Epoch milliseconds. */
  readonly issued_ts: number;
  readonly key_id: string;
  readonly members: readonly MemberDigest[];
}

export type EvidenceContent = Omit<EvidenceManifest, 'kind' | 'v' | 'key_id' | 'members'>;

/** Returns the bytes of the manifest. The signature covers exactly these. */
export const manifestText = (content: EvidenceContent, members: readonly MemberDigest[], signer: AuditSigner): string =>
  `${JSON.stringify({ kind: 'evidence', v: 1, ...content, key_id: signer.keyId, members } satisfies EvidenceManifest, undefined, 2)}\n`;

/** Parses a manifest. Returns undefined if it is not one. Call it only with bytes whose signature is verified. */
export function readManifest(text: string): EvidenceManifest | undefined {
  const manifest = JSON.parse(text) as EvidenceManifest;
  return manifest.kind === 'evidence' && manifest.v === 1 && Array.isArray(manifest.members) ? manifest : undefined;
}
