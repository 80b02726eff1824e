import { hexOf } from '../byte-encodings.ts';
import { splitLines } from '../export-lines.ts';
import { createSha256 } from '../node-sha256.ts';
import type { MemberDigest } from './manifest.ts';

/** Members that are read whole are shorter. */
const SMALL_BYTES_MAX = 16 * 1024 * 1024;

/** The file is not a ZIP that this release writes. The message is one sentence. */
export class EvidenceFileError extends Error {}

/** Members of an evidence package, as a ZIP reader of the platform reads them. */
export interface EvidenceSource {
  readonly names: readonly string[];
  /** Yields the bytes of a member. Throws EvidenceFileError if there is none of this name, or its bytes cannot be decompressed. */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

/** Returns the bytes of a short member. Throws EvidenceFileError. */
export async function memberBytes(source: EvidenceSource, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.chunks(name)) {
    size += chunk.byteLength;
    if (size > SMALL_BYTES_MAX) throw new EvidenceFileError(`${name} is too long.`);
    parts.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** Yields the lines of a member without line ends. Throws ExportTextError. */
export const memberLines = (source: EvidenceSource, name: string): AsyncGenerator<string> =>
  splitLines(source.chunks(name));

/** Computes the digest of a member. */
export async function memberDigest(source: EvidenceSource, name: string): Promise<MemberDigest> {
  const hash = createSha256();
  let bytes = 0;
  for await (const chunk of source.chunks(name)) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { name, bytes, sha256: hexOf(hash.digest()) };
}
