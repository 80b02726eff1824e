import { once } from 'node:events';
import { connect } from 'node:net';

export interface ResponseSummary {
  readonly bytes: number;
  /** Arrival of the first bytes of the body, by the clock of `performance`. */
  readonly firstByteAt: number;
}

export interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts during the response. */
  readonly signal?: AbortSignal | undefined;
}

const BUFFER_BYTES = 1 << 18;
const HEAD_END = '\r\n\r\n';
/** The last chunk of a chunked body without trailers (RFC 9112, section 7.1). */
const BODY_END = Buffer.from('0\r\n\r\n');

/**
 * Sends a request on a new connection and reads the response into one reused buffer, as curl does: a reader that allocates a buffer
 * for each piece takes as much processor time as the host, and the machine has two processors. Counts the bytes of the body with its
 * chunk framing. Throws when the status is not 200 or the body is cut.
 */
export async function readResponse(
  url: string,
  { method, headers, body, signal }: RequestOptions,
): Promise<ResponseSummary> {
  const { hostname, port, host, pathname, search } = new URL(url);
  let head = '';
  let bytes = 0;
  let firstByteAt = 0;
  let tail: Buffer = Buffer.alloc(0);
  const take = (size: number, buffer: Uint8Array): boolean => {
    let start = 0;
    if (firstByteAt === 0) {
      const before = head.length;
      head += Buffer.from(buffer.buffer, buffer.byteOffset, size).toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end === -1 || end + HEAD_END.length === head.length) return true;
      start = end + HEAD_END.length - before;
      firstByteAt = performance.now();
    }
    bytes += size - start;
    tail = Buffer.concat([tail, buffer.subarray(Math.max(start, size - BODY_END.length), size)]).subarray(
      -BODY_END.length,
    );
    return true;
  };
  const socket = connect({
    host: hostname,
    port: Number(port),
    signal,
    onread: { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), callback: take },
  });
  const sent = { ...headers, host, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const closed = once(socket, 'close'); // rejects with the socket's error
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  await closed;
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`unexpected response: ${head.slice(0, 1_000)}`);
  if (!isComplete(head, bytes, tail)) throw new Error('the response was cut');
  return { bytes, firstByteAt };
}

/** A body has a length, or is chunked and has an end. */
function isComplete(head: string, bytes: number, tail: Buffer): boolean {
  const length = /^content-length: *(\d+)\r$/im.exec(head.slice(0, head.indexOf(HEAD_END) + 2))?.[1];
  return length === undefined ? tail.equals(BODY_END) : bytes === Number(length);
}
