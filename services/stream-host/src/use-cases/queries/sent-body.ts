import type { TenantSettings } from '@sluice/contract';
import { BodyMeter } from '@sluice/encoders';
import type { RunningQuery } from '../../queries/running-queries.ts';
import type { BodyEnd } from './query-outcome.ts';
import { checkResultLimits } from './result-limits.ts';

const encoder = new TextEncoder();

/** What was sent of the body of a query: counted, measured for its receipt, and held to the limits of its tenant. */
export class SentBody {
  readonly #meter = new BodyMeter();
  readonly #live: RunningQuery;
  readonly #limits: TenantSettings;
  #isInRow = false;

  constructor(live: RunningQuery, limits: TenantSettings) {
    this.#live = live;
    this.#limits = limits;
  }

  /** What was sent last is not the end of a row. */
  get isInRow(): boolean {
    return this.#isInRow;
  }

  /** Throws `resource_limit`, before they are counted, for rows that are more than the tenant may have. */
  addRows(event: { readonly rows: number; readonly bytes: Uint8Array }): Uint8Array {
    const live = this.#live;
    const size = { rows: live.rows + event.rows, bytes: live.bytes + event.bytes.byteLength };
    checkResultLimits(this.#limits, size);
    live.rows += event.rows;
    this.#isInRow = event.rows === 0;
    return this.add(event.bytes);
  }

  add(chunk: string | Uint8Array): Uint8Array {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    this.#meter.add(bytes);
    this.#live.bytes = this.#meter.bytes;
    return bytes;
  }

  /** The body as it will have been sent with these last bytes; without any, it is cut where it is. */
  endedBy(tail: Uint8Array | undefined): BodyEnd {
    const whole = tail === undefined ? undefined : this.#meter.copy();
    if (tail !== undefined) whole?.add(tail);
    return { bytes: this.#meter.bytes, whole };
  }
}
