import { describe, expect, it } from '@jest/globals';
import { ReaderPace } from './reader-pace.ts';

const KIB = 1024;

/** Samples every 100 ms of a client that takes this many bytes a second and is behind in these parts of the time. */
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

describe('the pace of a reader', () => {
  it('is slow below the limit over the whole window, and not before it has passed', () => {
    expect(paceAfter(59, { bytesPerSecond: 10 })).toBeUndefined();
    expect(paceAfter(66, { bytesPerSecond: 10 })).toBeCloseTo(10);
    expect(paceAfter(66, { bytesPerSecond: 1023 })).toBeCloseTo(1023);
    expect(paceAfter(300, { bytesPerSecond: 0 })).toBe(0);
  });

  it('is not slow at the limit, nor after a pause that has passed', () => {
    expect(paceAfter(200, { bytesPerSecond: KIB })).toBeUndefined();
    expect(paceAfter(200, { bytesPerSecond: 100 * KIB })).toBeUndefined();
  });

  it('is not slow where the client waited for the engine', () => {
    expect(paceAfter(200, { bytesPerSecond: 1, isBehindAt: () => false })).toBeUndefined();
    expect(paceAfter(200, { bytesPerSecond: 1, isBehindAt: (second) => second % 60 > 15 })).toBeUndefined();
  });
});
