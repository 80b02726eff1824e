import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BodyMeter } from './receipt.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('BodyMeter', () => {
  it('counts and hashes bytes, however they are split', () => {
    const whole = new BodyMeter();
    whole.add(Buffer.from('grüße'));
    const cut = new BodyMeter();
    for (const byte of Buffer.from('grüße')) cut.add(Uint8Array.of(byte));
    const expected = { bytes: 7, sha256: sha256('grüße') };
    expect(cut.bytes).toBe(7);
    expect([whole.digest(), cut.digest()]).toEqual([expected, expected]);
  });

  it('returns the same bytes', () => {
    const chunk = Buffer.from('x');
    expect(new BodyMeter().add(chunk)).toBe(chunk);
  });

  it('returns the digest of an empty body', () => {
    expect(new BodyMeter().digest()).toEqual({ bytes: 0, sha256: sha256('') });
  });

  it('makes copies that count independently, for the digest of a body whose last bytes are not sent yet', () => {
    const meter = new BodyMeter();
    meter.add(Buffer.from('ab'));
    const ahead = meter.copy();
    ahead.add(Buffer.from('c'));
    expect(ahead.digest()).toEqual({ bytes: 3, sha256: sha256('abc') });
    meter.add(Buffer.from('d'));
    expect(meter.digest()).toEqual({ bytes: 3, sha256: sha256('abd') });
  });
});
