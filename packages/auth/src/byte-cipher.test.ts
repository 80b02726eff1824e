import { describe, expect, it } from '@jest/globals';
import { createByteCipher } from './byte-cipher.ts';

const keyOf = (byte: number) => async () => Buffer.alloc(32, byte);
const cipher = createByteCipher(keyOf(1), 'answers');
const BYTES = Buffer.from('["a table"]');

describe('createByteCipher', () => {
  it('returns the bytes with the same key, purpose and context only', async () => {
    const text = await cipher.encrypt(BYTES, 'id');
    expect(await createByteCipher(keyOf(1), 'answers').decrypt(text, 'id')).toEqual(BYTES);
    expect(await cipher.decrypt(text, 'other')).toBeUndefined();
    expect(await createByteCipher(keyOf(2), 'answers').decrypt(text, 'id')).toBeUndefined();
    expect(await createByteCipher(keyOf(1), 'tickets').decrypt(text, 'id')).toBeUndefined();
  });

  it('reveals nothing of the bytes, and rejects changed ones', async () => {
    const text = await cipher.encrypt(BYTES, 'id');
    expect(Buffer.from(text, 'base64url').toString('latin1')).not.toContain('table');
    for (const changed of ['', 'x', text.slice(0, -4), `${text}AAAA`])
      expect(await cipher.decrypt(changed, 'id')).toBeUndefined();
  });

  it('returns empty bytes', async () => {
    expect(await cipher.decrypt(await cipher.encrypt(new Uint8Array(0), 'id'), 'id')).toEqual(Buffer.alloc(0));
  });
});
