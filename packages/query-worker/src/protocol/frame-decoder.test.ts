import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameDecoder } from './frame-decoder.ts';
import { decodeRows, encodeFrame, encodeRowsHeader, type Frame } from './frames.ts';

/** Bytes without a pattern, the same in every run. */
const NOISE = createHash('shake256', { outputLength: 400_000 }).update('noise').digest();
const rows = (bytes: number): Buffer => Buffer.concat([encodeRowsHeader(7, bytes), NOISE.subarray(0, bytes)]);

/** Receives bytes as a socket does: at most `readMax` at a time, directly into the place that the decoder names. */
function receive(decoder: FrameDecoder, bytes: Buffer, readMax: number): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { target } = decoder;
    expect(target.length).toBeGreaterThan(0);
    const read = bytes.copy(target, 0, at, at + readMax);
    at += read;
    frames.push(...decoder.received(read));
  }
  return frames;
}

const rowsOf = ({ payload }: Frame): Buffer => decodeRows(payload).bytes;

describe('FrameDecoder', () => {
  it('receives frames of any size in reads of any size', () => {
    const sizes = fc.array(fc.oneof(fc.nat(300), fc.constantFrom(65_526, 65_527, 65_528, 262_144, 300_000)), {
      maxLength: 6,
    });
    const readMax = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1_000, max: 400_000 }));
    fc.assert(
      fc.property(sizes, readMax, (bytes, max) => {
        const sent = Buffer.concat([...bytes.map(rows), encodeFrame('end', { limited: false })]);
        const frames = receive(new FrameDecoder(), sent, sent.length > 2_000 ? Math.max(max, 1_000) : max);
        expect(frames.map(({ kind }) => kind)).toEqual([...bytes.map(() => 'rows'), 'end']);
        for (const [index, size] of bytes.entries()) {
          const frame = frames[index] as Frame;
          expect(frame.bytes).toBe(frame.payload.length);
          expect(rowsOf(frame).equals(NOISE.subarray(0, size))).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('receives a large frame where it stays, and uses its memory again only after its release', () => {
    const decoder = new FrameDecoder();
    const [first, second] = receive(decoder, Buffer.concat([rows(200_000), rows(200_000)]), 65_536) as [Frame, Frame];
    expect(second.payload.buffer).not.toBe(first.payload.buffer);
    first.release?.();
    first.release?.();
    const [third, fourth] = receive(decoder, Buffer.concat([rows(100_000), rows(100_000)]), 65_536) as [Frame, Frame];
    expect(third.payload.buffer).toBe(first.payload.buffer);
    expect(fourth.payload.buffer).not.toBe(first.payload.buffer);
    expect(rowsOf(second).equals(NOISE.subarray(0, 200_000))).toBe(true);
  });

  it('returns a frame with its last byte, although it also waits for the next header', () => {
    const decoder = new FrameDecoder();
    const bytes = rows(100_000);
    expect(receive(decoder, bytes.subarray(0, -1), 4_096)).toEqual([]);
    expect(receive(decoder, bytes.subarray(-1), 1)).toHaveLength(1);
    const end = encodeFrame('end');
    expect(receive(decoder, end.subarray(0, 3), 3)).toEqual([]);
    expect(receive(decoder, end.subarray(3), 100)).toMatchObject([{ kind: 'end' }]);
  });

  it('copies frames that arrive as chunks', () => {
    const decoder = new FrameDecoder();
    const sent = Buffer.concat([rows(10), rows(300_000), encodeFrame('end')]);
    const frames = [...decoder.push(sent)];
    expect(frames.map(({ kind }) => kind)).toEqual(['rows', 'rows', 'end']);
    expect(rowsOf(frames[1] as Frame).equals(NOISE.subarray(0, 300_000))).toBe(true);
  });
});
