import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER_MS = 2000;

/**
 * After an answer that left the body unread, takes the rest in for a moment, so that the client can read the answer
 * before it sees the connection fail, and then closes on those who go on sending.
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
