import { describe, expect, it } from '@jest/globals';
import { RANGE_MS } from '../router/audit-address.ts';
import { EVIDENCE_MS_MAX, EVIDENCE_SPANS, rangeInputOf, readRangeInput, spanBefore } from './evidence-range.ts';

/** Half a minute after a full one. */
const NOW_MS = Date.UTC(2026, 10, 20, 12, 34, 30);

describe('a span before now', () => {
  it.each([
    ['day', 24],
    ['week', 7 * 24],
    ['month', 30 * 24],
    ['year', 365 * 24],
  ] as const)('of a %s covers all of its %i hours, and records of a clock that is ahead', (span, hours) => {
    const { start, end } = spanBefore(span, NOW_MS);
    expect((NOW_MS - start) / RANGE_MS.hour).toBe(hours);
    expect(end).toBeGreaterThan(NOW_MS);
  });

  it('is never longer than a package can be', () => {
    for (const span of EVIDENCE_SPANS) {
      const { start, end } = spanBefore(span, NOW_MS);
      expect(end - start).toBeLessThanOrEqual(EVIDENCE_MS_MAX);
    }
  });
});

it('the fields begin with the last 30 days, rounded to whole minutes outwards', () => {
  const range = readRangeInput(rangeInputOf({}, NOW_MS));
  expect(range).toEqual({ start: NOW_MS - 30_000 - RANGE_MS.month, end: NOW_MS + 30_000 });
});
