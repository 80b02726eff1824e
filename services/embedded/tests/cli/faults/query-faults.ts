import type { FaultCase } from './fault-case.ts';

/** `query` in one format. */
export interface QueryTarget {
  readonly format: string;
  readonly sql: string;
  /** The event stream of the statement. */
  readonly events: string;
  /** Output of the command for the whole result; undefined if the layout depends on the chunks in which rows arrive. */
  readonly printed: Buffer | undefined;
}

/** Places in the stream, among them between the last row and `complete`. */
function offsetsOf(events: string): readonly (readonly [place: string, afterBytes: number])[] {
  const complete = events.lastIndexOf('data: {"type":"complete"');
  const firstRow = events.indexOf('data: {"type":"row"');
  return [
    ['before the first byte', 0],
    ['in the head', 20],
    ['between the columns and the first row', firstRow],
    ['in mid-row', Math.floor(complete / 2) + 3],
    ['in the last row', complete - 10],
    ['between the last row and complete', complete],
    ['in complete', complete + 12],
    ['before the last byte of complete', complete + 23],
  ];
}

const MESSAGES = {
  cut: /^error: The connection was cut before the result was complete\. Run the query again\.$/,
  reset: /^error: The connection was cut before the result was complete\. Run the query again\.$/,
  end: /^error: The result is incomplete: the stream ended without `complete`\. Run the query again\.$|^error: The result does not begin with its columns, so it cannot be trusted\. Check the proxies between client and host\.$/,
  stall: /^error: Nothing arrived for 400 ms, so the result is incomplete\. Run the query again\.$/,
} as const;

/** A stream that is cut, reset, ended early or stalled at each place. Rows that were printed stay. */
export function queryFaults({ format, sql, events, printed }: QueryTarget): FaultCase[] {
  const all = offsetsOf(events);
  const placesOf = { cut: all, reset: all.slice(3, 4), end: all, stall: all.slice(4, 6) };
  return (['cut', 'reset', 'end', 'stall'] as const).flatMap((kind) =>
    placesOf[kind].map(
      ([place, afterBytes]): FaultCase => ({
        target: `query ${format}`,
        fault: `${kind} ${place}`,
        words: ['query', sql, '--format', format],
        ...(kind === 'stall' ? { env: { SLUICE_IDLE_TIMEOUT: '0.4' } } : {}),
        damage: (proxy) => proxy.damage('/query', { kind, afterBytes }),
        exitCode: 3,
        message: MESSAGES[kind],
        leaves: 'nothing',
        ...(printed === undefined ? {} : { isPartOf: printed }),
      }),
    ),
  );
}
