import { createHash } from 'node:crypto';
import { ExportTextError } from '../export-lines.ts';
import type { ExportRow } from '../export-row.ts';
import type { Finding, Verdict } from '../finding.ts';
import { isSignedBy, type TrustedKeys } from '../signing-key.ts';
import { verifyExport } from '../verify-export.ts';
import { CheckpointMatcher } from './checkpoint-matcher.ts';
import { EvidenceFile, EvidenceFileError } from './evidence-file.ts';
import { EvidenceSummary } from './evidence-summary.ts';
import {
  EVIDENCE_MEMBERS,
  type EvidenceManifest,
  MANIFEST,
  MANIFEST_SIGNATURE,
  type MemberDigest,
  readManifest,
} from './manifest.ts';

interface PackageToVerify {
  readonly path: string;
  readonly keys: TrustedKeys;
}

/** Verdict of an evidence package. */
export interface EvidenceVerdict extends Verdict {
  /** The signed manifest, if nothing was found. */
  readonly manifest: EvidenceManifest | undefined;
}

const SIGNATURE_BYTES = 64;

const altered = (member: string, reason: string): Finding => ({ kind: 'altered', member, reason });

/** Verifies the signature before anything of the manifest is used. */
async function verifiedManifest(file: EvidenceFile, keys: TrustedKeys): Promise<EvidenceManifest | Finding> {
  const payload = (await file.bytes(MANIFEST)).toString('utf8');
  const signature = await file.bytes(MANIFEST_SIGNATURE);
  const isSigned = [...keys.keys()].some((keyId) => isSignedBy(keys, { payload, keyId, signature }));
  if (signature.byteLength !== SIGNATURE_BYTES || !isSigned)
    return altered(MANIFEST, 'It is not signed by a trusted key.');
  return readManifest(payload) ?? altered(MANIFEST, 'This release cannot read its version.');
}

/** Compares the names, sizes and hashes of all members with the manifest. */
async function memberFinding(file: EvidenceFile, members: readonly MemberDigest[]): Promise<Finding | undefined> {
  const known = new Set([...members.map(({ name }) => name), MANIFEST, MANIFEST_SIGNATURE]);
  const unknown = file.names.find((name) => !known.has(name));
  if (unknown !== undefined) return { kind: 'inserted', member: unknown, reason: 'The manifest does not list it.' };
  const wanted = [...new Set([...Object.values(EVIDENCE_MEMBERS), ...known])];
  const absent = wanted.find((name) => !file.names.includes(name));
  if (absent !== undefined) return { kind: 'missing', member: absent, reason: 'The package does not contain it.' };
  for (const { name, bytes, sha256 } of members) {
    const found = await file.digest(name);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      return altered(name, 'Its SHA-256 is not the one that the manifest signs.');
  }
  return undefined;
}

const summaryDigest = (summary: EvidenceSummary): string => {
  const hash = createHash('sha256');
  for (const line of summary.csv()) hash.update(line);
  return hash.digest('hex');
};

/** Positions of the records that were read. */
interface FoundRange {
  first: number | null;
  last: number | null;
}

/** Finds a record that the signed manifest does not list. */
function strayRecord({ tenantId, manifest }: { tenantId: string; manifest: EvidenceManifest }, row: ExportRow) {
  const { sequence } = row;
  const found = (kind: Finding['kind'], reason: string): Finding => ({
    kind,
    sequence,
    recordId: row.record.id,
    reason,
  });
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

async function verifyContent(
  file: EvidenceFile,
  manifest: EvidenceManifest,
  keys: TrustedKeys,
): Promise<EvidenceVerdict> {
  const { tenant_id: tenantId } = manifest;
  const matcher = new CheckpointMatcher({ tenantId, keys, lines: file.lines(EVIDENCE_MEMBERS.checkpoints) });
  const summary = new EvidenceSummary();
  const range: FoundRange = { first: null, last: null };
  const verdict = await verifyExport({
    format: 'ndjson',
    lines: file.lines(EVIDENCE_MEMBERS.export),
    keys,
    visit: async (row) => {
      const stray = strayRecord({ tenantId, manifest }, row);
      if (stray !== undefined) return stray;
      range.first ??= row.sequence;
      range.last = row.sequence;
      summary.add(row);
      return await matcher.visit(row);
    },
  });
  const { records } = verdict;
  // The export knows how many records are missing, the checkpoints and the manifest know which.
  const mayPlace = verdict.finding?.kind === 'missing' && verdict.finding.sequence === undefined;
  const placed = mayPlace ? ((await matcher.end()) ?? missingEnd(manifest, range)) : undefined;
  const finding =
    placed ??
    verdict.finding ??
    (await matcher.end()) ??
    missingEnd(manifest, range) ??
    (records === manifest.records
      ? undefined
      : altered(EVIDENCE_MEMBERS.export, 'It does not have the records that the manifest lists.')) ??
    (manifest.members.find(({ name }) => name === EVIDENCE_MEMBERS.summary)?.sha256 === summaryDigest(summary)
      ? undefined
      : altered(EVIDENCE_MEMBERS.summary, 'It does not count the records of the export.'));
  const isWhole = finding === undefined;
  return { tenantId, records, checkpoints: matcher.count, finding, manifest: isWhole ? manifest : undefined };
}

const HAS_RECORDS: readonly (string | undefined)[] = [EVIDENCE_MEMBERS.export, EVIDENCE_MEMBERS.checkpoints];

/** Verifies the content, also if the SHA-256 of a member has shown a change: the records and checkpoints say where it is. */
async function verifyMembers(
  file: EvidenceFile,
  manifest: EvidenceManifest,
  keys: TrustedKeys,
): Promise<EvidenceVerdict> {
  const { tenant_id: tenantId } = manifest;
  const finding = await memberFinding(file, manifest.members);
  if (finding === undefined) return await verifyContent(file, manifest, keys);
  const verdict = { tenantId, records: 0, checkpoints: 0, finding, manifest: undefined };
  if (finding.kind !== 'altered' || !HAS_RECORDS.includes(finding.member)) return verdict;
  const content = await verifyContent(file, manifest, keys);
  return content.finding === undefined
    ? verdict
    : { ...content, finding: { member: finding.member ?? '', ...content.finding } };
}

/**
 * Verifies an evidence package on its own, with constant memory: the signed manifest, the SHA-256 of each member, each record and the
 * order of records by the chain, the checkpoints, that no record between the first and the last is missing, and the summary. Throws the
 * error of the file system if the file cannot be read.
 */
export async function verifyEvidencePackage({ path, keys }: PackageToVerify): Promise<EvidenceVerdict> {
  let tenantId = '';
  const verdict = (finding: Finding): EvidenceVerdict => ({
    tenantId,
    records: 0,
    checkpoints: 0,
    finding,
    manifest: undefined,
  });
  try {
    await using file = await EvidenceFile.open(path);
    for (const name of [MANIFEST, MANIFEST_SIGNATURE]) {
      if (!file.names.includes(name))
        return verdict({ kind: 'missing', member: name, reason: 'The package does not contain it.' });
    }
    const manifest = await verifiedManifest(file, keys);
    if ('reason' in manifest) return verdict(manifest);
    tenantId = manifest.tenant_id;
    return await verifyMembers(file, manifest, keys);
  } catch (thrown) {
    if (thrown instanceof EvidenceFileError || thrown instanceof ExportTextError)
      return verdict(altered('the package', thrown.message));
    throw thrown;
  }
}
