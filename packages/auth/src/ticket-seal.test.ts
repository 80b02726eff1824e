import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createTicketSeal } from './ticket-seal.ts';
import { createValueSeal } from './value-seal.ts';

const tickets = createTicketSeal(() => createValueSeal({ current: Buffer.alloc(32, 1) }));
const CONTENT = { sql: 'SELECT 1', user: 'ann@acme.example' };

describe('a ticket', () => {
  it('is opened with its id only', async () => {
    const { id, key, sealed } = await tickets.create(CONTENT);
    expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    expect(tickets.keyOf(id)).toBe(key);
    expect(await tickets.open(id, sealed)).toEqual(CONTENT);
    expect(await tickets.open(randomBytes(32).toString('base64url'), sealed)).toBeUndefined();
  });

  it('reveals neither its id nor its content where it is stored', async () => {
    const { id, key, sealed } = await tickets.create(CONTENT);
    expect(key).not.toContain(id);
    expect(sealed).not.toContain(id);
    expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('SELECT');
  });

  it('is rejected if it was changed, or created with another key', async () => {
    const { id, sealed } = await tickets.create(CONTENT);
    const changed = `${sealed.slice(0, -2)}${sealed.at(-2) === 'A' ? 'B' : 'A'}${sealed.slice(-1)}`;
    expect(await tickets.open(id, changed)).toBeUndefined();
    const others = createTicketSeal(() => createValueSeal({ current: Buffer.alloc(32, 2) }));
    expect(await others.open(id, sealed)).toBeUndefined();
  });
});
