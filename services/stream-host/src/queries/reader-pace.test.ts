import { describe, expect, it } from '@jest/globals';
import { ReaderPace } from './reader-pace.ts';

const KIB = 1024;

/** Samples a client every 100 ms that reads at this rate and is behind at these times. */
function paceAfter(seconds: number, { bytesPerSecond, isBehindAt = () => true }: Client): number | undefined {
  const client = { takenBytes: 5_000_000, isBehind: true };
  const pace = new ReaderPace(client, { bytesPerSecond: KIB, windowMs: 60_000 });
  for (let tenths = 0; tenths <= seconds * 10; tenths += 1) {
    client.isBehind = isBehindAt(tenths / 10);
    pace.sample(tenths * 100);
    client.takenBytes += bytesPerSecond / 10;
  }
  return pace.slowBytesPerSecond;
}

interface Client {
  readonly bytesPerSecond: number;
  readonly isBehindAt?: (second: number) => boolean;
}

describe('ReaderPace', () => {
  it('reports a reader below the limit only after a whole window', () => {
    expect(paceAfter(59, { bytesPerSecond: 10 })).toBeUndefined();
    expect(paceAfter(66, { bytesPerSecond: 10 })).toBeCloseTo(10);
    expect(paceAfter(66, { bytesPerSecond: 1023 })).toBeCloseTo(1023);
    expect(paceAfter(300, { bytesPerSecond: 0 })).toBe(0);
  });

  it('does not report a reader at or above the limit', () => {
    expect(paceAfter(200, { bytesPerSecond: KIB })).toBeUndefined();
    expect(paceAfter(200, { bytesPerSecond: 100 * KIB })).toBeUndefined();
  });

  it('does not report a reader that waited for the engine', () => {
    expect(paceAfter(200, { bytesPerSecond: 1, isBehindAt: () => false })).toBeUndefined();
    expect(paceAfter(200, { bytesPerSecond: 1, isBehindAt: (second) => second % 60 > 15 })).toBeUndefined();
  });
});
