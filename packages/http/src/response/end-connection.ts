import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const LINGER_MS = 2000;

const ending = new WeakSet<Socket>();

/** Whether a response announced the end of this connection: further requests on it are not processed (RFC 9112 section 9.6). */
export const isEnding = (socket: Socket): boolean => ending.has(socket);

/** Whether a request has a body that is not completely read. Without both headers it has none (RFC 9112 section 6.3). */
const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0');

/** Waits until the part of a body that arrived with its head is parsed, which Node does in the same turn of the event loop. */
export async function receiveSentBody(request: IncomingMessage): Promise<void> {
  if (hasUnreadBody(request)) await new Promise(setImmediate);
}

/**
 * Ends the connection with a response that is sent before its request was read. What follows on the connection is the rest of a body, and
 * a violation in it would cause a second response. Call it before the headers are sent.
 */
export function endConnection(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const isEarly = hasUnreadBody(request);
  if (isEarly) response.setHeader('connection', 'close');
  if (response.getHeader('connection') !== 'close') return;
  ending.add(socket);
  // Node calls this method after the last response of a connection.
  if (isEarly) socket.destroySoon = () => linger(request);
}

/**
 * Closes the sending side, and discards the rest of the body for a short time. A connection that is closed with unread bytes is reset,
 * and the client may lose the response (RFC 9112 section 9.6).
 */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  request.once('end', () => Socket.prototype.destroySoon.call(socket));
  socket.end();
  request.resume();
}
