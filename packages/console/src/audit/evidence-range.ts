import { RANGE_MS } from '../router/audit-address.ts';
import { localTimeText, timeOfLocalText } from './local-time.ts';

/** Time of an evidence package in epoch milliseconds: `start` is inclusive, `end` exclusive. */
export interface EvidenceRange {
  readonly start: number;
  readonly end: number;
}

/** Input of the two fields. */
export interface RangeInput {
  readonly start: string;
  readonly end: string;
}

const MINUTE_MS = 60_000;
/** Longest range of an evidence package. */
export const EVIDENCE_MS_MAX = 366 * RANGE_MS.day;

const DAYS_OF_YEAR = 365;
const SPANS_MS = {
  day: RANGE_MS.day,
  week: RANGE_MS.week,
  month: RANGE_MS.month,
  year: DAYS_OF_YEAR * RANGE_MS.day,
} as const;

/** Times before now that are verified with one click. */
export type EvidenceSpan = keyof typeof SPANS_MS;
export const EVIDENCE_SPANS = Object.keys(SPANS_MS) as readonly EvidenceSpan[];

/** Returns the range of a whole span before now. It ends an hour after now, because the clock of the host may be ahead. */
export const spanBefore = (span: EvidenceSpan, nowMs: number): EvidenceRange => ({
  start: nowMs - SPANS_MS[span],
  end: nowMs + RANGE_MS.hour,
});

/** Returns the field values of a range; by default of the last 30 days. */
export function rangeInputOf({ start, end }: Partial<EvidenceRange>, nowMs: number): RangeInput {
  // The fields have whole minutes. The next one is taken, so that the package has the newest records too.
  const endMs = Math.ceil((end ?? nowMs) / MINUTE_MS) * MINUTE_MS;
  return { start: localTimeText(start ?? (end ?? nowMs) - RANGE_MS.month), end: localTimeText(endMs) };
}

/** Returns the range of the fields; undefined if it is not complete, not in order, or longer than a package can be. */
export function readRangeInput(input: RangeInput): EvidenceRange | undefined {
  const [start, end] = [timeOfLocalText(input.start), timeOfLocalText(input.end)];
  if (start === undefined || end === undefined || start >= end || end - start > EVIDENCE_MS_MAX) return undefined;
  return { start, end };
}
