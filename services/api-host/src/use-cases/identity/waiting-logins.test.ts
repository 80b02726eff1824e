import { describe, expect, it } from '@jest/globals';
import { WaitingLogins } from './waiting-logins.ts';

const repeat = (count: number, act: (index: number) => () => void) =>
  Array.from({ length: count }, (_, index) => act(index));

describe('WaitingLogins', () => {
  it('admits 100 requests of an address at once, and another one when one of them ends', () => {
    const waiting = new WaitingLogins();
    const [leave] = repeat(100, () => waiting.enter('203.0.113.9'));
    expect(() => waiting.enter('203.0.113.9')).toThrow('Too many programs');
    waiting.enter('198.51.100.7')();
    leave?.();
    waiting.enter('203.0.113.9');
    expect(() => waiting.enter('203.0.113.9')).toThrow('Too many programs');
  });

  it('admits 500 requests of all addresses', () => {
    const waiting = new WaitingLogins();
    const leaves = repeat(500, (index) => waiting.enter(`203.0.113.${index}`));
    expect(() => waiting.enter('198.51.100.7')).toThrow('Too many programs');
    for (const leave of leaves) leave();
    repeat(100, () => waiting.enter('198.51.100.7'));
  });
});
