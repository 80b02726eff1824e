import type { RowsEvent } from '../../engine.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';

/** Splits one large row, so that no receiver has to hold it whole. */
export function* eventsOfRow(
  pieces: Iterable<Uint8Array>,
  allocate: (bytes: number) => Uint8Array,
): Generator<RowsEvent> {
  let bytes = allocate(EVENT_BYTES_MAX);
  let used = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.byteLength; ) {
      if (used === EVENT_BYTES_MAX) {
        yield { kind: 'rows', rows: 0, bytes };
        bytes = allocate(EVENT_BYTES_MAX);
        used = 0;
      }
      const part = piece.subarray(from, from + EVENT_BYTES_MAX - used);
      bytes.set(part, used);
      used += part.byteLength;
      from += part.byteLength;
    }
  }
  yield { kind: 'rows', rows: 1, bytes: bytes.subarray(0, used) };
}
