import { createParser } from 'eventsource-parser';

/** One event or comment of a stream, in order. `data` is the text as sent: parse it, or look at its digits. */
export type ServerSentItem =
  | { readonly kind: 'event'; readonly data: string; readonly event: string | undefined }
  | { readonly kind: 'comment'; readonly text: string };

type Feed = (chunk: Uint8Array) => void;

const openParser = (onItem: (item: ServerSentItem) => void): Feed => {
  const parser = createParser({
    onEvent: ({ data, event }) => onItem({ kind: 'event', data, event }),
    onComment: (text) => onItem({ kind: 'comment', text }),
    onError: (error) => {
      throw error;
    },
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => parser.feed(decoder.decode(chunk, { stream: true }));
};

/**
 * Reads a `text/event-stream` with an independent parser, which real clients use. Ends with the body. Drops an unfinished last event, as the
 * standard requires. Throws the error of the body if the connection is cut.
 */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentItem> {
  const items: ServerSentItem[] = [];
  const feed = openParser((item) => items.push(item));
  for await (const chunk of body) {
    feed(chunk);
    yield* items.splice(0);
  }
}

/** Parses all events of a stream as JSON, without comments. Numbers become doubles: use the items to check digits. */
export async function collectEvents(body: AsyncIterable<Uint8Array>): Promise<Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = [];
  // Not with the generator: a promise for each of 100,000 events costs more than the rest of a test.
  const feed = openParser((item) => {
    if (item.kind === 'event') events.push(JSON.parse(item.data) as Record<string, unknown>);
  });
  for await (const chunk of body) feed(chunk);
  return events;
}
