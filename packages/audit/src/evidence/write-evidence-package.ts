import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipArchive } from 'archiver';
import type { AuditSigner } from '../signing-key.ts';
import { type EvidenceContent, MANIFEST, MANIFEST_SIGNATURE, type MemberDigest, manifestText } from './manifest.ts';

export interface EvidenceMember {
  readonly name: string;
  /** Read once, after the members before it. */
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

interface EvidencePackage {
  readonly signer: AuditSigner;
  readonly members: readonly EvidenceMember[];
  /** Called after the last member was read. */
  readonly content: () => EvidenceContent;
}

/** Bytes that wait for the reader. */
const BUFFER_BYTES = 64 * 1024;

/** Appends members to a ZIP one after the other, and remembers their digests. */
class EvidenceArchive {
  readonly zip = new ZipArchive({ highWaterMark: BUFFER_BYTES });
  readonly digests: MemberDigest[] = [];
  readonly #stop = new AbortController();
  #source: Readable | undefined;

  /** Resolves when the member is written. Rejects with the error of its bytes, or when the archive is stopped. */
  async append({ name, bytes }: EvidenceMember): Promise<void> {
    // archiver reads a source as soon as it is appended, and does not forward its errors.
    const written = once(this.zip, 'entry', { signal: this.#stop.signal });
    const source = Readable.from(this.#digested(name, bytes), { objectMode: false });
    this.#source = source;
    source.once('error', (error) => this.#stop.abort(error));
    this.zip.append(source, { name });
    try {
      await written;
    } catch (thrown) {
      throw this.#stop.signal.aborted ? this.#stop.signal.reason : thrown;
    }
  }

  /** Ends the reading of the current member. */
  stop(): void {
    this.#stop.abort();
    this.#source?.destroy();
  }

  async *#digested(name: string, bytes: EvidenceMember['bytes']): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
    this.digests.push({ name, bytes: size, sha256: hash.digest('hex') });
  }
}

async function fill(archive: EvidenceArchive, { signer, members, content }: EvidencePackage): Promise<void> {
  for (const member of members) await archive.append(member);
  const manifest = manifestText(content(), archive.digests, signer);
  await archive.append({ name: MANIFEST, bytes: [Buffer.from(manifest)] });
  await archive.append({ name: MANIFEST_SIGNATURE, bytes: [signer.sign(manifest)] });
  await archive.zip.finalize();
}

/**
 * Writes the members, a manifest with their digests, and its signature as a ZIP. Reads a member only as fast as the ZIP is read. If a
 * member fails, the iteration throws its error before the central directory is written, so no reader takes the ZIP for a complete one.
 */
export async function* writeEvidencePackage(evidence: EvidencePackage): AsyncGenerator<Uint8Array> {
  const archive = new EvidenceArchive();
  const filled = fill(archive, evidence).catch((error: unknown) => {
    archive.zip.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const chunk of archive.zip) yield chunk as Uint8Array;
  } finally {
    archive.stop();
    archive.zip.destroy();
    await filled;
  }
}
