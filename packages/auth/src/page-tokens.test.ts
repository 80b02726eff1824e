import { describe, expect, it } from '@jest/globals';
import { createPageTokens } from './page-tokens.ts';
import { createValueSeal } from './value-seal.ts';

const tokens = createPageTokens(() => createValueSeal({ current: Buffer.alloc(32, 7) }));
const OWNER = ['history', 'acme', 'ann'];
const POSITION = { name: 'Größe "x" \u{1F600}', at: '12' };

describe('createPageTokens', () => {
  it('returns the position to its owner', async () => {
    const token = await tokens.issue(POSITION, OWNER);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await tokens.open(token, OWNER)).toEqual(POSITION);
  });

  it('rejects a token of another owner, of another key, and a changed one', async () => {
    const token = await tokens.issue(POSITION, OWNER);
    const others = createPageTokens(async () => createValueSeal({ current: Buffer.alloc(32, 8) }));
    const changed = Buffer.from(token, 'base64url').toString().replace('12', '13');
    for (const attempt of [
      tokens.open(token, ['history', 'acme', 'bob']),
      tokens.open(token, ['history', 'acmeann']),
      others.open(token, OWNER),
      tokens.open(Buffer.from(changed).toString('base64url'), OWNER),
      tokens.open('', OWNER),
      tokens.open('x'.repeat(100), OWNER),
      tokens.open('\0/..', OWNER),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_page_token', status: 400 });
    }
  });
});
