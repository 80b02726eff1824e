import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from './byte-encodings.ts';

const anyBytes = fc.uint8Array({ maxLength: 100 });

describe('encodings of bytes', () => {
  it('are those of Buffer, in hex and in base64', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });

  it('round-trip, in hex of either case', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(bytesOfHex(hexOf(bytes))).toEqual(bytes);
        expect(bytesOfHex(hexOf(bytes).toUpperCase())).toEqual(bytes);
        expect(bytesOfBase64(base64Of(bytes))).toEqual(bytes);
      }),
    );
  });

  it('that are not hex end at the first pair that is not, as those of Buffer do', () => {
    const nearlyHex = fc.string({ unit: fc.constantFrom('0', 'a', 'F', 'g', '\n', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(nearlyHex, (text) => {
        expect(Buffer.from(bytesOfHex(text)).equals(Buffer.from(text, 'hex'))).toBe(true);
      }),
    );
  });

  it.each(['é', '=', 'a', 'ab=c'])('that are not base64 have no bytes: %j', (text) => {
    expect(bytesOfBase64(text)).toEqual(new Uint8Array());
  });
});
