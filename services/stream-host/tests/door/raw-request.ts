import { connect } from 'node:net';

interface RawRequest {
  /** Address of the host. */
  readonly url: string;
  /** Bytes of the request, as they are sent. */
  readonly text: string;
  /** Sent again and again after the request, until the host closes the connection. */
  readonly more?: string;
}

/** Sends a request that no client library would send, and reads until the host closes. Returns its status, 0 without one, and all that came. */
export async function rawRequest({
  url,
  text,
  more,
}: RawRequest): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  // A host may close before it has read everything, which is an error of the socket.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  const timer = more === undefined ? undefined : setInterval(() => socket.writable && socket.write(more), 5);
  await closed;
  clearInterval(timer);
  const received = Buffer.concat(chunks).toString('utf8');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0), text: received };
}

/** Returns the text of a request with a body of known length. The connection ends with the response. */
export function requestText(
  requestLine: string,
  { headers, body = '' }: { readonly headers: readonly string[]; readonly body?: string },
): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [requestLine, ...headers, length, 'connection: close', '', body].join('\r\n');
}
