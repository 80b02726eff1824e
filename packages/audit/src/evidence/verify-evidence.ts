import { hexOf } from '../byte-encodings.ts';
import type { ExactInteger } from '../exact-integer.ts';
import { ExportTextError } from '../export-lines.ts';
import { type ExportRow, toPosition } from '../export-row.ts';
import type { Finding, RecordPosition, Verdict, WrongTimes } from '../finding.ts';
import { createSha256 } from '../node-sha256.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from '../trusted-keys.ts';
import { verifyExport } from '../verify-export.ts';
import { CheckpointMatcher } from './checkpoint-matcher.ts';
import { EvidenceFileError, type EvidenceSource, memberBytes, memberDigest, memberLines } from './evidence-source.ts';
import { EvidenceSummary } from './evidence-summary.ts';
import {
  EVIDENCE_MEMBERS,
  type EvidenceManifest,
  MANIFEST,
  MANIFEST_SIGNATURE,
  type MemberDigest,
  readManifest,
} from './manifest.ts';
import { type CheckpointCopy, CopyComparison } from './saved-checkpoint.ts';

interface EvidenceToVerify {
  readonly source: EvidenceSource;
  readonly keys: TrustedKeys;
  /** Checkpoint that was stored elsewhere, to be compared with the log. */
  readonly saved?: CheckpointCopy | undefined;
  /** Called with the number of verified records. */
  readonly onRecords?: ((records: number) => void) | undefined;
}

/** Verdict of an evidence package. */
export interface EvidenceVerdict extends Verdict {
  /** The signed manifest, if nothing was found. */
  readonly manifest: EvidenceManifest | undefined;
  /** Latest checkpoint of the package whose signature is verified. */
  readonly latest: SignedPayload | undefined;
  readonly wrongTimes: WrongTimes | undefined;
  /** Last verified record before the finding, or of all. */
  readonly last: RecordPosition | undefined;
}

const SIGNATURE_BYTES = 64;

const altered = (member: string, reason: string): Finding => ({ kind: 'altered', member, reason });

/** Verifies the signature before anything of the manifest is used. */
async function verifiedManifest({ source, keys }: EvidenceToVerify): Promise<EvidenceManifest | Finding> {
  const payload = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await memberBytes(source, MANIFEST));
  const signature = await memberBytes(source, MANIFEST_SIGNATURE);
  const signed = await Promise.all([...keys.keys()].map((keyId) => isSignedBy(keys, { payload, keyId, signature })));
  const isSigned = signed.includes(true);
  if (signature.byteLength !== SIGNATURE_BYTES || !isSigned)
    return altered(MANIFEST, 'It is not signed by a trusted key.');
  return readManifest(payload) ?? altered(MANIFEST, 'This release cannot read its version.');
}

/** Compares the names, sizes and hashes of all members with the manifest. */
async function memberFinding(source: EvidenceSource, members: readonly MemberDigest[]): Promise<Finding | undefined> {
  const known = new Set([...members.map(({ name }) => name), MANIFEST, MANIFEST_SIGNATURE]);
  const unknown = source.names.find((name) => !known.has(name));
  if (unknown !== undefined) return { kind: 'inserted', member: unknown, reason: 'The manifest does not list it.' };
  const wanted = [...new Set([...Object.values(EVIDENCE_MEMBERS), ...known])];
  const absent = wanted.find((name) => !source.names.includes(name));
  if (absent !== undefined) return { kind: 'missing', member: absent, reason: 'The package does not contain it.' };
  for (const { name, bytes, sha256 } of members) {
    const found = await memberDigest(source, name);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      return altered(name, 'Its SHA-256 is not the one that the manifest signs.');
  }
  return undefined;
}

const summaryDigest = (summary: EvidenceSummary): string => {
  const hash = createSha256();
  for (const line of summary.csv()) hash.update(line);
  return hexOf(hash.digest());
};

/** Positions of the records that were read. */
interface FoundRange {
  first: number | null;
  last: number | null;
}

/** Finds a record that the signed manifest does not list. */
function strayRecord({ tenantId, manifest }: { tenantId: string; manifest: EvidenceManifest }, row: ExportRow) {
  const { sequence } = row;
  const found = (kind: Finding['kind'], reason: string): Finding => ({ ...toPosition(row), kind, reason });
  if (row.record.tenantId !== tenantId) return found('altered', 'It belongs to another tenant.');
  if (manifest.first === null || manifest.last === null || sequence < manifest.first || sequence > manifest.last)
    return found('inserted', `The manifest lists records ${manifest.first} to ${manifest.last}.`);
  return undefined;
}

/** Finds the record that is missing at one end of the range. */
function missingEnd({ first, last }: EvidenceManifest, found: FoundRange): Finding | undefined {
  if (first === null || last === null || (found.first === first && found.last === last)) return undefined;
  const sequence = found.first === first ? (found.last ?? first) + 1 : first;
  return { kind: 'missing', sequence, reason: `The manifest lists records ${first} to ${last}.` };
}

/** Verified records so far. */
interface VerifiedRecords {
  readonly records: number;
  readonly last: RecordPosition | undefined;
}

/** Verifies the records with everything that the package and the auditor know about them. */
class ContentVerifier {
  readonly #input: EvidenceToVerify;
  readonly #manifest: EvidenceManifest;
  readonly #matcher: CheckpointMatcher;
  readonly #saved: CopyComparison | undefined;
  readonly #summary = new EvidenceSummary();
  readonly #range: FoundRange = { first: null, last: null };
  /** Verified records before each gap, by the sequence number at which it begins. */
  readonly #beforeGaps = new Map<ExactInteger, VerifiedRecords>();
  #verified: VerifiedRecords = { records: 0, last: undefined };

  constructor(input: EvidenceToVerify, manifest: EvidenceManifest) {
    const { source, keys, saved } = input;
    this.#input = input;
    this.#manifest = manifest;
    const lines = memberLines(source, EVIDENCE_MEMBERS.checkpoints);
    this.#matcher = new CheckpointMatcher({ tenantId: manifest.tenant_id, keys, lines });
    this.#saved = saved === undefined ? undefined : new CopyComparison(saved);
  }

  async verdict(): Promise<EvidenceVerdict> {
    const { source, keys } = this.#input;
    const { tenant_id: tenantId } = this.#manifest;
    let setAside: Verdict['setAside'];
    const verdict = (finding: Finding | undefined): EvidenceVerdict => ({
      tenantId,
      ...(setAside === undefined ? {} : { setAside }),
      ...this.#verifiedBefore(finding),
      checkpoints: this.#matcher.count,
      finding,
      manifest: finding === undefined ? this.#manifest : undefined,
      latest: this.#matcher.latest,
      wrongTimes: this.#matcher.wrongTimes,
    });
    const differs = await this.#saved?.start(tenantId, keys);
    if (differs !== undefined) return verdict(differs);
    const verified = await verifyExport({
      format: 'ndjson',
      lines: memberLines(source, EVIDENCE_MEMBERS.export),
      keys,
      visit: (row) => this.#visit(row),
    });
    const { records, finding } = verified;
    setAside = verified.setAside;
    // The export knows how many records are missing, the checkpoints and the manifest know which.
    const mayPlace = finding?.kind === 'missing' && finding.sequence === undefined;
    const placed = mayPlace ? ((await this.#matcher.end()) ?? missingEnd(this.#manifest, this.#range)) : undefined;
    return verdict(placed ?? finding ?? (await this.#end(records)));
  }

  /** A gap is known to be one only at the end, because retention may have dropped the records. */
  #verifiedBefore(finding: Finding | undefined): VerifiedRecords {
    const gap = finding?.kind === 'missing' ? this.#beforeGaps.get(finding.sequence ?? 0) : undefined;
    return gap ?? this.#verified;
  }

  async #visit(row: ExportRow): Promise<Finding | undefined> {
    const { tenant_id: tenantId } = this.#manifest;
    const stray = strayRecord({ tenantId, manifest: this.#manifest }, row);
    if (stray !== undefined) return stray;
    if (this.#range.last !== null && row.sequence !== this.#range.last + 1)
      this.#beforeGaps.set(this.#range.last + 1, this.#verified);
    this.#range.first ??= row.sequence;
    this.#range.last = row.sequence;
    this.#summary.add(row);
    const finding = this.#saved?.visit(row) ?? (await this.#matcher.visit(row));
    if (finding !== undefined) return finding;
    const { sequence, timeMs } = toPosition(row);
    this.#verified = { records: this.#verified.records + 1, last: { sequence, timeMs } };
    this.#input.onRecords?.(this.#verified.records);
    return undefined;
  }

  async #end(records: number): Promise<Finding | undefined> {
    const manifest = this.#manifest;
    const finding = (await this.#matcher.end()) ?? missingEnd(manifest, this.#range);
    if (finding !== undefined) return finding;
    if (records !== manifest.records)
      return altered(EVIDENCE_MEMBERS.export, 'It does not have the records that the manifest lists.');
    const { sha256 } = manifest.members.find(({ name }) => name === EVIDENCE_MEMBERS.summary) ?? {};
    if (sha256 !== summaryDigest(this.#summary))
      return altered(EVIDENCE_MEMBERS.summary, 'It does not count the records of the export.');
    return this.#saved?.end({ manifest, last: this.#range.last, covered: this.#matcher.covered });
  }
}

const HAS_RECORDS: readonly (string | undefined)[] = [EVIDENCE_MEMBERS.export, EVIDENCE_MEMBERS.checkpoints];

/** Verifies the content, also if the SHA-256 of a member has shown a change: the records and checkpoints say where it is. */
async function verifyMembers(input: EvidenceToVerify, manifest: EvidenceManifest): Promise<EvidenceVerdict> {
  const finding = await memberFinding(input.source, manifest.members);
  const content = () => new ContentVerifier(input, manifest).verdict();
  if (finding === undefined) return await content();
  if (finding.kind !== 'altered' || !HAS_RECORDS.includes(finding.member))
    return verdictWithoutRecords(manifest.tenant_id, finding);
  const found = await content();
  if (found.finding === undefined) return verdictWithoutRecords(manifest.tenant_id, finding);
  return { ...found, finding: { member: finding.member ?? '', ...found.finding } };
}

/** Returns the verdict of a package without a verified record. */
const verdictWithoutRecords = (tenantId: string, finding: Finding): EvidenceVerdict => ({
  tenantId,
  records: 0,
  checkpoints: 0,
  finding,
  manifest: undefined,
  latest: undefined,
  wrongTimes: undefined,
  last: undefined,
});

/**
 * Verifies an evidence package on its own, with constant memory: the signed manifest, the SHA-256 of each member, each record and the
 * order of records by the chain and the checkpoints, that no record between the first and the last is missing, and the summary.
 */
export async function verifyEvidence(input: EvidenceToVerify): Promise<EvidenceVerdict> {
  const { source } = input;
  let tenantId = '';
  const verdict = (finding: Finding): EvidenceVerdict => verdictWithoutRecords(tenantId, finding);
  try {
    for (const name of [MANIFEST, MANIFEST_SIGNATURE]) {
      if (!source.names.includes(name))
        return verdict({ kind: 'missing', member: name, reason: 'The package does not contain it.' });
    }
    const manifest = await verifiedManifest(input);
    if ('reason' in manifest) return verdict(manifest);
    tenantId = manifest.tenant_id;
    return await verifyMembers(input, manifest);
  } catch (thrown) {
    return rejectUnreadable(thrown, tenantId);
  }
}

/** Returns the verdict for a file that cannot be read as a package. Throws any other error. */
export function rejectUnreadable(thrown: unknown, tenantId = ''): EvidenceVerdict {
  if (thrown instanceof EvidenceFileError || thrown instanceof ExportTextError)
    return verdictWithoutRecords(tenantId, altered('the package', thrown.message));
  throw thrown;
}
