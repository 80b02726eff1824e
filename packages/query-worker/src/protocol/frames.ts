/**
 * Frames of the channel between a host and its query worker, in both directions: one kind byte, four bytes of payload length (little
 * endian) and the payload. Control payloads are JSON. `rows` carries a row count (four bytes) and encoded rows, `stored` sealed bytes of a kept
 * result, and `stored-bytes` those that a worker asked for with `read-stored`.
 */
export const FRAME_KINDS = [
  'ready',
  'run',
  'cancel',
  'columns',
  'rows',
  'progress',
  'remote-statement',
  'end',
  'failed',
  'stored',
  'stored-end',
  'not-kept',
  'stop-keeping',
  'read-stored',
  'stored-bytes',
] as const;
type FrameKind = (typeof FRAME_KINDS)[number];

export interface Frame extends FrameHead {
  readonly payload: Buffer;
  /** May be called after the last use of `payload`, whose memory is used again then. */
  readonly release?: () => void;
}

export interface FrameHead {
  readonly kind: FrameKind;
  /** Bytes of the payload. */
  readonly bytes: number;
}

/** Rows come in pieces of 256 KiB; the columns of the widest result need the rest. */
const FRAME_BYTES_MAX = 32 * 1024 * 1024;
export const HEADER_BYTES = 5;
export const ROW_COUNT_BYTES = 4;

export function encodeFrame(kind: FrameKind, payload: object = {}): Buffer {
  const json = Buffer.from(JSON.stringify(payload));
  return Buffer.concat([header(kind, json.length), json]);
}

/** Returns the bytes before the rows. The caller writes the rows directly after them, without a copy. */
export function encodeRowsHeader(rows: number, bytes: number): Buffer {
  const prefix = Buffer.alloc(HEADER_BYTES + ROW_COUNT_BYTES);
  header('rows', ROW_COUNT_BYTES + bytes).copy(prefix);
  prefix.writeUInt32LE(rows, HEADER_BYTES);
  return prefix;
}

/** Returns the bytes before a payload of bytes, which the caller writes directly after them. */
export const encodeFrameHeader = (kind: FrameKind, bytes: number): Buffer => header(kind, bytes);

/** Reads the header at the start of these bytes. Throws when it is not one, or announces a frame that is too large. */
export function decodeHeader(start: Buffer): FrameHead {
  const kind = FRAME_KINDS[start.readUInt8(0)];
  if (kind === undefined) throw new Error(`unknown frame kind ${start.readUInt8(0)}`);
  const bytes = start.readUInt32LE(1);
  if (bytes > FRAME_BYTES_MAX) throw new Error(`a frame of ${bytes} bytes is too large`);
  return { kind, bytes };
}

export const decodeRows = (payload: Buffer): { readonly rows: number; readonly bytes: Buffer } => ({
  rows: payload.readUInt32LE(0),
  bytes: payload.subarray(ROW_COUNT_BYTES),
});

export const decodeJson = (payload: Buffer): unknown => JSON.parse(payload.toString('utf8'));

function header(kind: FrameKind, bytes: number): Buffer {
  const buffer = Buffer.alloc(HEADER_BYTES);
  buffer.writeUInt8(FRAME_KINDS.indexOf(kind), 0);
  buffer.writeUInt32LE(bytes, 1);
  return buffer;
}
