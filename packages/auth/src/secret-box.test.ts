import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from './secret-box.ts';

describe('createSecretBox', () => {
  it('opens a value only with its key and context, and never seals a value twice alike', () => {
    const box = createSecretBox(randomBytes(32));
    const [one, other] = [box.seal('geheim \u{1f511}', 'acme'), box.seal('geheim \u{1f511}', 'acme')];
    expect(box.open(one, 'acme')).toBe('geheim \u{1f511}');
    expect(Buffer.from(one).equals(other)).toBe(false);
    expect(() => box.open(one, 'globex')).toThrow();
    expect(() => createSecretBox(randomBytes(32)).open(one, 'acme')).toThrow();
  });
});
