import { open } from 'node:fs/promises';
import type { EvidenceManifest, ExportPayload, Finding, Verdict } from '@sluice/audit/verify';
import { CommandError } from '../errors.ts';
import { linesOfArray } from './json-array.ts';

export type AuditFileKind = 'ndjson' | 'json' | 'csv' | 'package';

/** Outcome of the verification of an export or evidence package. */
export interface AuditVerdict {
  readonly kind: AuditFileKind;
  readonly tenantId: string;
  /** Records before the finding, or all. */
  readonly records: number;
  readonly checkpoints: number;
  readonly finding: Finding | undefined;
  /** Sentences about forged entries that hosts set aside, one for each of at most 20 reports. */
  readonly setAside: readonly string[];
  /** Signed content of the file. Undefined after a finding. */
  readonly signed: ExportPayload | EvidenceManifest | undefined;
}

const STARTS: readonly (readonly [string, AuditFileKind])[] = [
  ['PK', 'package'],
  ['{', 'ndjson'],
  ['[', 'json'],
];

/** Returns what a file is, by its first bytes. Anything else would be CSV, whose header the verifier checks. */
async function detectKind(path: string): Promise<AuditFileKind> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    if (bytesRead === 0) throw new CommandError(`${path} is empty, so it is not an export. Export it again.`);
    const start = buffer.toString('latin1', 0, bytesRead);
    return STARTS.find(([text]) => start.startsWith(text))?.[1] ?? 'csv';
  } finally {
    await file.close();
  }
}

async function verify(path: string, publicKeys: readonly Uint8Array[]): Promise<AuditVerdict> {
  const kind = await detectKind(path);
  const { describeSetAside, exportLines, trustedKeys, verifyEvidencePackage, verifyExport } = await import(
    '@sluice/audit/verify'
  );
  const sentences = ({ setAside }: Verdict): readonly string[] => setAside?.first.map(describeSetAside) ?? [];
  const keys = trustedKeys(publicKeys);
  if (kind === 'package') {
    const { manifest, ...verdict } = await verifyEvidencePackage({ path, keys });
    return { ...verdict, kind, setAside: sentences(verdict), signed: manifest };
  }
  const lines = exportLines(path);
  const { end, ...verdict } = await verifyExport({
    format: kind === 'csv' ? 'csv' : 'ndjson',
    lines: kind === 'json' ? linesOfArray(lines) : lines,
    keys,
  });
  return { ...verdict, kind, setAside: sentences(verdict), signed: end };
}

/**
 * Verifies an export of the audit log or an evidence package, with constant memory and without a host.
 * @param publicKeys - keys that are trusted, 32 bytes each
 * @throws CommandError if the file cannot be read
 */
export async function verifyAuditFile(path: string, publicKeys: readonly Uint8Array[]): Promise<AuditVerdict> {
  try {
    return await verify(path, publicKeys);
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandError(`${path} cannot be read (${code}). Check its name and whether you may read it.`, {
      cause: error,
    });
  }
}
