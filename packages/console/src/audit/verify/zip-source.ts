import { EvidenceFileError, type EvidenceSource } from '@sluice/audit/verify-in-browser';
import { BlobReader, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';

/** A package has seven members. */
const MEMBERS_MAX = 100;
const CHUNK_BYTES = 256 * 1024;

/** Members of a ZIP that the browser holds. */
export interface ZipSource extends EvidenceSource {
  readonly sizeOf: (name: string) => number;
}

async function readEntries(file: Blob): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  // Workers of the library would be blob: addresses, which the content security policy forbids. This is a worker already.
  const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false });
  for await (const entry of reader.getEntriesGenerator()) {
    if (entries.has(entry.filename)) throw new EvidenceFileError(`It has two members ${entry.filename}.`);
    if (entries.size === MEMBERS_MAX) throw new EvidenceFileError('It has too many members.');
    if (entry.directory) throw new EvidenceFileError('It has a folder.');
    entries.set(entry.filename, entry);
  }
  return entries;
}

/**
 * Opens an evidence package. Members are read in any order, with constant memory.
 * @param onBytes - called with the number of bytes of a part that was read
 * @throws EvidenceFileError if the file is cut or not a ZIP
 */
export async function openZip(file: Blob, onBytes: (bytes: number) => void): Promise<ZipSource> {
  const entries = await readEntries(file).catch((thrown: unknown) => {
    if (thrown instanceof EvidenceFileError) throw thrown;
    throw new EvidenceFileError('It is cut, or it is not a ZIP file.');
  });
  return {
    names: [...entries.keys()],
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    async *chunks(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new EvidenceFileError(`It has no member ${name}.`);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, {
        highWaterMark: CHUNK_BYTES,
        size: (chunk) => chunk?.byteLength ?? 0,
      });
      const stop = new AbortController();
      let failure: unknown;
      const written = entry
        .getData(writable, { useWebWorkers: false, signal: stop.signal })
        .catch((thrown: unknown) => {
          failure = thrown;
          return writable.abort(thrown).catch(() => undefined);
        });
      const reader = readable.getReader();
      try {
        for (;;) {
          const step = await reader.read();
          if (step.done) break;
          onBytes(step.value.byteLength);
          yield step.value;
        }
        await written;
        if (failure !== undefined) throw failure;
      } catch {
        throw new EvidenceFileError(`The bytes of ${name} cannot be read.`);
      } finally {
        stop.abort();
        await reader.cancel().catch(() => undefined);
      }
    },
  };
}
