/** Counts rows in the bytes of a file. */
export interface RowCounter {
  add(bytes: Uint8Array): void;
  readonly rows: number;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

function createLineCounter(): RowCounter {
  let rows = 0;
  return {
    add: (bytes) => {
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) rows += 1;
    },
    get rows() {
      return rows;
    },
  };
}

/** Counts line feeds outside of quotes, without the one after the header. A doubled quote opens and closes. */
function createCsvCounter(): RowCounter {
  let lines = 0;
  let isQuoted = false;
  return {
    add: (bytes) => {
      // Each position is searched once: the next line feed is kept while it is behind the next quote.
      let quote = bytes.indexOf(QUOTE);
      let line = bytes.indexOf(LINE_FEED);
      for (;;) {
        const end = quote === -1 ? bytes.length : quote;
        for (; line !== -1 && line < end; line = bytes.indexOf(LINE_FEED, line + 1)) if (!isQuoted) lines += 1;
        if (quote === -1) return;
        isQuoted = !isQuoted;
        quote = bytes.indexOf(QUOTE, quote + 1);
      }
    },
    get rows() {
      return Math.max(0, lines - 1);
    },
  };
}

/** Creates the counter of a media type. Undefined: its rows cannot be counted without reading the whole file. */
export function createRowCounter(mediaType: string): RowCounter | undefined {
  if (mediaType === 'text/csv') return createCsvCounter();
  return mediaType === 'application/x-ndjson' ? createLineCounter() : undefined;
}
