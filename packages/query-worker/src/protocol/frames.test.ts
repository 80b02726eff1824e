import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameDecoder } from './frame-decoder.ts';
import { decodeJson, decodeRows, encodeFrame, encodeRowsHeader, FRAME_KINDS, type Frame } from './frames.ts';

const decode = (decoder: FrameDecoder, chunks: readonly Buffer[]): readonly Frame[] =>
  chunks.flatMap((chunk) => [...decoder.push(chunk)]);

/** Splits bytes at these offsets. Some pieces are empty. */
function split(bytes: Buffer, offsets: readonly number[]): readonly Buffer[] {
  const ends = [...offsets.map((offset) => offset % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

describe('frames', () => {
  it('are decoded as they were encoded, wherever the bytes are split', () => {
    const control = fc.record({
      kind: fc.constantFrom(...FRAME_KINDS),
      payload: fc.dictionary(fc.string(), fc.string()),
    });
    const rows = fc.record({ rows: fc.nat(2 ** 32 - 1), bytes: fc.uint8Array({ maxLength: 3_000 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(control, rows), { maxLength: 8 }), fc.array(fc.nat()), (frames, offsets) => {
        const bytes = frames.map((frame) =>
          'kind' in frame
            ? encodeFrame(frame.kind, frame.payload)
            : Buffer.concat([encodeRowsHeader(frame.rows, frame.bytes.length), frame.bytes]),
        );
        const decoded = decode(new FrameDecoder(), split(Buffer.concat(bytes), offsets));
        expect(decoded).toHaveLength(frames.length);
        for (const [index, frame] of frames.entries()) {
          const { kind, payload } = decoded[index] as Frame;
          if ('kind' in frame) expect([kind, decodeJson(payload)]).toEqual([frame.kind, { ...frame.payload }]);
          else {
            expect(kind).toBe('rows');
            expect(decodeRows(payload)).toEqual({ rows: frame.rows, bytes: Buffer.from(frame.bytes) });
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are decoded byte by byte too, each with its last byte', () => {
    const bytes = encodeFrame('end', { limited: true });
    const decoder = new FrameDecoder();
    for (const byte of bytes.subarray(0, -1)) expect([...decoder.push(Buffer.of(byte))]).toEqual([]);
    expect([...decoder.push(bytes.subarray(-1))].map((frame) => frame.kind)).toEqual(['end']);
  });

  it('may have neither rows nor bytes', () => {
    const [frame] = decode(new FrameDecoder(), [encodeRowsHeader(0, 0)]);
    expect(decodeRows((frame as Frame).payload)).toEqual({ rows: 0, bytes: Buffer.alloc(0) });
  });

  it('are rejected when their kind is unknown or they are too large', () => {
    const unknown = Buffer.from([FRAME_KINDS.length, 0, 0, 0, 0]);
    expect(() => [...new FrameDecoder().push(unknown)]).toThrow('unknown frame kind');
    const huge = Buffer.from([0, 0, 0, 0, 0xff]);
    expect(() => [...new FrameDecoder().push(huge)]).toThrow('too large');
  });
});
