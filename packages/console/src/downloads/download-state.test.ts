import { describe, expect, it } from '@jest/globals';
import type { Receipt } from '@sluice/client';
import { formatBytes } from '../i18n/format-bytes.ts';
import { stateOf } from './download-state.ts';

const receipt = (state: Receipt['state'], limited = false): Receipt => ({
  query_id: 'q',
  state,
  rows: 0,
  bytes: 0,
  sha256: null,
  limited,
  started_ts: 0,
  ended_ts: null,
  error: null,
});

describe('stateOf', () => {
  it.each([
    ['QUEUED', 'queued', 'cancelling'],
    ['RUNNING', 'running', 'cancelling'],
    ['FINISHED', 'complete', 'complete'],
    ['FAILED', 'failed', 'failed'],
    ['CANCELLED', 'cut', 'cancelled'],
    ['UNKNOWN', 'unknown', 'unknown'],
  ] as const)('of %s is %s, and %s after a cancel', (state, expected, afterCancel) => {
    expect(stateOf(receipt(state), false)).toBe(expected);
    expect(stateOf(receipt(state), true)).toBe(afterCancel);
  });

  it('never takes a limited file for a complete one', () => {
    expect(stateOf(receipt('FINISHED', true), false)).toBe('limited');
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [64_000_000, '64 MB'],
    [1_500_000_000, '1.5 GB'],
  ])('writes %d as %s', (bytes, text) => expect(formatBytes(bytes, 'en')).toBe(text));
});
