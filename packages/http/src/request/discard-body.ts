import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER_MS = 2000;

/**
 * Discards the rest of an unread body for a short time after the response, so that the client can read the response before the
 * connection fails. Then closes the connection of a client that continues to send.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    timer.unref();
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
