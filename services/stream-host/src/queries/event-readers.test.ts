import { expect, it } from '@jest/globals';
import { EVENT_READERS_MAX } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { EventReaders } from './event-readers.ts';

it('limits the streams of each account, and gives each place back once', () => {
  const readers = new EventReaders();
  const [ann, bob] = [buildCaller('ann').principal, buildCaller('bob').principal];
  const held = Array.from({ length: EVENT_READERS_MAX }, () => readers.acquire(ann));
  expect(() => readers.acquire(ann)).toThrow('streams of kept results already');
  readers.acquire(bob)[Symbol.dispose]();
  held[0]?.[Symbol.dispose]();
  held[0]?.[Symbol.dispose]();
  readers.acquire(ann);
  expect(() => readers.acquire(ann)).toThrow('streams of kept results already');
});
