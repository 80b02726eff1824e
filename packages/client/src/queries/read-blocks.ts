import { IncompleteResultError, type SluiceErrorFields } from '../errors.ts';
import { PART_BYTES_MAX } from '../http/read-json.ts';
import { startsRow } from './parse-events.ts';

interface ReadOptions {
  /** Longest silence in milliseconds. Undefined: unlimited. */
  readonly idleTimeoutMs: number | undefined;
  readonly signal: AbortSignal;
  /** Ids for errors. */
  readonly ids: SluiceErrorFields;
  /** Sentence that says what to do after a failure. Default: Run the query again. */
  readonly advice?: string;
}

/** A block is parsed at once, so its size bounds how long the thread is busy. */
const BLOCK_CHARACTERS = 65_536;
const BLANK_LINE = '\n\n';

const adviceOf = ({ advice = 'Run the query again.' }: ReadOptions): string => advice;

function cut(cause: unknown, options: ReadOptions): IncompleteResultError {
  const { ids } = options;
  const message = `The connection was cut before the result was complete. ${adviceOf(options)}`;
  return new IncompleteResultError('cut', message, { ...ids, cause });
}

/** Rejects when nothing arrives for the idle timeout. */
async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, options: ReadOptions) {
  const { idleTimeoutMs, ids } = options;
  if (idleTimeoutMs === undefined) return await reader.read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `Nothing arrived for ${idleTimeoutMs} ms, so the result is incomplete. ${adviceOf(options)}`;
      reject(new IncompleteResultError('stalled', message, ids));
    }, idleTimeoutMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Yields the bytes of a body as they arrive. Leaving the loop cancels the body.
 * @throws IncompleteResultError if the connection is cut or silent for too long
 */
export async function* readChunks(body: ReadableStream<Uint8Array>, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, options);
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw error instanceof IncompleteResultError ? error : cut(error, options);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Yields parts of `text`, each ending with a blank line and little longer than a block. */
function* splitBlocks(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > BLOCK_CHARACTERS) {
    const end = text.indexOf(BLANK_LINE, start + BLOCK_CHARACTERS);
    if (end === -1 || end + BLANK_LINE.length >= text.length) break;
    yield text.slice(start, end + BLANK_LINE.length);
    start = end + BLANK_LINE.length;
  }
  yield text.slice(start);
}

/**
 * Yields the text of an event stream in blocks of whole events, each of them ended by a blank line. Text after the last blank line is
 * never yielded: it is an event that was cut.
 * @throws IncompleteResultError if the connection is cut, is silent for too long, or sends bytes that are not UTF-8
 */
export async function* readBlocks(body: ReadableStream<Uint8Array>, options: ReadOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Joined only when an event ends: a row of 100 MB arrives in thousands of pieces.
  let pieces: string[] = [];
  let characters = 0;
  let isRow = false;
  let endsWithNewline = false;
  for await (const chunk of readChunks(body, options)) {
    const text = decode(decoder, chunk, options.ids);
    if (text === '') continue;
    const isBoundary = endsWithNewline && text.startsWith('\n');
    const last = text.lastIndexOf(BLANK_LINE);
    endsWithNewline = text.endsWith('\n');
    if (last === -1 && !isBoundary) {
      pieces.push(text);
      characters += text.length;
      // A row may have any length.
      if (characters > PART_BYTES_MAX && !isRow) isRow = requireRow(pieces, options.ids);
      continue;
    }
    const end = last === -1 ? 1 : last + BLANK_LINE.length;
    pieces.push(text.slice(0, end));
    yield* splitBlocks(pieces.join(''));
    pieces = end === text.length ? [] : [text.slice(end)];
    characters = text.length - end;
    isRow = false;
  }
}

/** Throws unless an event that is longer than others may be is a row. */
function requireRow(pieces: readonly string[], ids: SluiceErrorFields): true {
  if (startsRow(pieces.join(''))) return true;
  throw malformed(`An event that is not a row has more than ${PART_BYTES_MAX / 1024 / 1024} MiB`, ids);
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array, ids: SluiceErrorFields): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw malformed('The result is not valid UTF-8', { ...ids, cause });
  }
}

/** Error of a result that something on the way has changed. */
export const malformed = (what: string, fields: SluiceErrorFields): IncompleteResultError =>
  new IncompleteResultError(
    'malformed',
    `${what}, so it cannot be trusted. Check the proxies between client and host.`,
    fields,
  );
