import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from './secret-box.ts';

describe('createSecretBox', () => {
  it('opens a value only with its key and context, and never seals a value twice alike', () => {
    const box = createSecretBox({ current: randomBytes(32) });
    const [one, other] = [box.seal('geheim \u{1f511}', 'acme'), box.seal('geheim \u{1f511}', 'acme')];
    expect(box.open(one, 'acme')).toBe('geheim \u{1f511}');
    expect(Buffer.from(one).equals(other)).toBe(false);
    expect(() => box.open(one, 'globex')).toThrow();
    expect(() => createSecretBox({ current: randomBytes(32) }).open(one, 'acme')).toThrow();
  });

  it('opens values that were sealed under the previous key, and seals under the current one', () => {
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const both = createSecretBox({ current: after, previous: before });
    expect(both.open(createSecretBox({ current: before }).seal('value', 'acme'), 'acme')).toBe('value');
    expect(createSecretBox({ current: after }).open(both.seal('value', 'acme'), 'acme')).toBe('value');
    expect(() => createSecretBox({ current: before }).open(both.seal('value', 'acme'), 'acme')).toThrow();
  });
});
