import type { ResultLimits } from '@sluice/contract';
import { BodyMeter } from '@sluice/encoders';
import type { RowsEvent } from '@sluice/engine';
import type { RunningQuery } from '../../queries/running-queries.ts';
import type { BodyEnd } from './query-outcome.ts';
import { checkResultLimits } from './result-limits.ts';

const encoder = new TextEncoder();

/** Body of a query as sent so far. Counts and hashes it for the receipt and enforces the limits of the tenant. */
export class SentBody {
  readonly #meter = new BodyMeter();
  readonly #live: RunningQuery;
  readonly #limits: ResultLimits;
  /** Chunks whose memory can be used again when they are sent. */
  readonly #lent = new Map<Uint8Array, () => void>();
  #isInRow = false;
  /** Bytes of the whole body, also of the part that is not sent. */
  #bytes = 0;
  #isCut = false;

  constructor(live: RunningQuery, limits: ResultLimits) {
    this.#live = live;
    this.#limits = limits;
  }

  /** True after a piece of a row that is not its last one. */
  get isInRow(): boolean {
    return this.#isInRow;
  }

  /**
   * Ends the sent body here, because its client has left. What is added from now on counts against the limits of the tenant as before, but
   * not as sent.
   */
  cut(): void {
    this.#isCut = true;
    this.#lent.clear();
  }

  /** Adds rows. Throws `resource_limit` before it counts them when they exceed the limits of the tenant. */
  addRows(event: Pick<RowsEvent, 'rows' | 'bytes' | 'release'>): Uint8Array {
    const live = this.#live;
    const size = { rows: live.rows + event.rows, bytes: this.#bytes + event.bytes.byteLength };
    checkResultLimits(this.#limits, size);
    live.rows += event.rows;
    this.#isInRow = event.rows === 0;
    if (event.release !== undefined) this.#lent.set(event.bytes, event.release);
    return this.add(event.bytes);
  }

  add(chunk: string | Uint8Array): Uint8Array {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    this.#bytes += bytes.byteLength;
    if (this.#isCut) return bytes;
    this.#meter.add(bytes);
    this.#live.bytes = this.#meter.bytes;
    return bytes;
  }

  /** Returns the memory of a chunk after its last use. */
  release(chunk: Uint8Array): void {
    this.#lent.get(chunk)?.();
    this.#lent.delete(chunk);
  }

  /** Returns the end of the body with these last bytes; undefined means that it is cut here. After `cut` they are not sent. */
  endedBy(tail: Uint8Array | undefined): BodyEnd {
    const whole = tail === undefined || this.#isCut ? undefined : this.#meter.copy();
    if (tail !== undefined) whole?.add(tail);
    return { bytes: this.#meter.bytes, whole };
  }
}
