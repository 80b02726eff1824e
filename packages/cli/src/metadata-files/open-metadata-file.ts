import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { FILE_BYTES_MAX } from '@sluice/contract/metadata-files';
import { CommandError, UsageError } from '../errors.ts';
import { asFileError } from '../text-files/file-fault.ts';
import { TextCheck } from '../text-files/text-check.ts';

/** Formats of the files that `import` reads and `export` writes. */
export const METADATA_FORMATS = ['csv', 'yaml', 'json', 'ndjson'] as const;
export type MetadataFormat = (typeof METADATA_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, MetadataFormat>> = {
  '.csv': 'csv',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** A file on its way to the host. */
export interface MetadataUpload {
  /** Name for messages. */
  readonly name: string;
  readonly format: MetadataFormat;
  readonly body: ReadableStream<Uint8Array>;
  /** Bytes of the file that were read so far. */
  readonly readBytes: () => number;
  readonly isRead: () => boolean;
  /** Returns the error that reading the file caused during the upload. Undefined: none. */
  readonly fault: () => unknown;
  readonly close: () => void;
}

/**
 * Returns the format that an option or the extension of the file names.
 * @throws UsageError if neither does
 */
export function chooseMetadataFormat(path: string, given: MetadataFormat | undefined): MetadataFormat {
  const format = given ?? EXTENSIONS[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  const what =
    path === '-' ? 'stdin has no extension' : `${path} has none of the extensions .csv .yaml .yml .json .ndjson .jsonl`;
  throw new UsageError(`${what}. Say the format with --format csv, yaml, json or ndjson.`);
}

async function openBytes(path: string, stdin: Readable, signal: AbortSignal): Promise<Readable> {
  if (path === '-') return addAbortSignal(signal, stdin);
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`;
    throw new CommandError(`${path} ${reason}. Check the name.`, { cause });
  });
  if (found.isDirectory()) throw new CommandError(`${path} is a folder. Name a file.`);
  return createReadStream(path);
}

/** Yields the bytes of a file, and rejects a file that is not text or is too long. */
async function* checked(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const check = new TextCheck();
  for await (const chunk of chunks) {
    check.add(chunk);
    if (check.bytes > FILE_BYTES_MAX)
      throw new CommandError(`${name} has more than 64 MiB, the limit of one import. Split it.`);
    if (chunk.length > 0) yield chunk;
  }
  check.end();
  if (check.bytes === 0)
    throw new CommandError(`${name} is empty. \`sluice import --template csv\` prints a file to begin with.`);
}

/** Reads the first chunk immediately, so that an empty file or one of another kind is reported before anything is sent. */
async function withFirst(chunks: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await chunks.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* chunks;
  })();
}

/**
 * Opens a file for an upload, which reads it as fast as the host takes it.
 * @throws CommandError if the file cannot be read, is empty or is not text
 */
export async function openMetadataFile(
  path: string,
  given: MetadataFormat | undefined,
  { stdin, signal }: { readonly stdin: Readable; readonly signal: AbortSignal },
): Promise<MetadataUpload> {
  const format = chooseMetadataFormat(path, given);
  const name = path === '-' ? 'stdin' : path;
  const source = await openBytes(path, stdin, signal);
  let [fault, readBytes, isRead]: [unknown, number, boolean] = [undefined, 0, false];
  const fileError = (cause: unknown): unknown => {
    signal.throwIfAborted();
    const { code } = cause as NodeJS.ErrnoException;
    return code === undefined
      ? asFileError(name, cause)
      : new CommandError(`${name} cannot be read (${code}). Check the file.`, { cause });
  };
  const bytes = await withFirst(checked(name, source)).catch((error: unknown) => {
    source.destroy();
    throw fileError(error);
  });
  /** `fetch` hides what a source throws behind a failure of the connection. */
  const sent = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        readBytes += chunk.length;
        yield chunk;
      }
      isRead = true;
    } catch (error) {
      fault = fileError(error);
      throw error;
    }
  };
  const readable = Readable.from(sent(), { objectMode: false });
  return {
    name,
    format,
    body: Readable.toWeb(readable) as ReadableStream<Uint8Array>,
    readBytes: () => readBytes,
    isRead: () => isRead,
    fault: () => fault,
    close: () => {
      readable.on('error', () => undefined).destroy();
      source.on('error', () => undefined).destroy();
    },
  };
}
