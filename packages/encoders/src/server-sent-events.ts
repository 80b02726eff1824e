import { HEARTBEAT, withHeartbeat } from './heartbeat.ts';

/** Comment line, which clients ignore. It keeps proxies from closing a silent stream. */
export const SSE_HEARTBEAT = ': keep-alive\n\n';

interface SseEvent {
  readonly id?: number;
  /** One line of JSON, which has no raw line breaks. */
  readonly data: string;
}

/** Writes an event of a stream (WHATWG HTML, "Server-sent events"). */
export const sseEvent = ({ id, data }: SseEvent): string => `${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;

/** Sets the last event id of the reader without an event (HTML standard, section 9.2.6). */
export const ssePosition = (id: number): string => `id: ${id}\n\n`;

const HEARTBEAT_BYTES = new TextEncoder().encode(SSE_HEARTBEAT);

/** Adds a heartbeat whenever a stream of events is silent for `intervalMs`. Returning early ends the source. */
export async function* withSseHeartbeat(
  source: AsyncIterator<Uint8Array>,
  intervalMs: number,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const item of withHeartbeat(source, intervalMs)) yield item === HEARTBEAT ? HEARTBEAT_BYTES : item;
  } finally {
    await source.return?.();
  }
}
