import { describe, expect, it } from '@jest/globals';
import { createConnectionTurns, type EndTurn } from './connection-turns.ts';

const turnsOf = (max: number, timeoutMs = 60_000) =>
  createConnectionTurns({
    max,
    timeoutMs,
    busy: () => new Error('busy'),
    silent: () => new Error('silent'),
  });

describe('the turns at the connections', () => {
  it('are given to groups in turn while all connections are in use', async () => {
    const turns = turnsOf(1);
    let end: EndTurn = await turns.acquire('many');
    const order: string[] = [];
    const waiting = ['many', 'many', 'many', 'one', 'many', 'two'].map(async (group) => {
      const own = await turns.acquire(group);
      order.push(group);
      end = own;
    });
    expect(turns.waiting).toBe(6);
    for (let count = 0; count < 6; count += 1) {
      end(true);
      await new Promise(setImmediate);
    }
    await Promise.all(waiting);
    expect(order).toEqual(['many', 'one', 'two', 'many', 'many', 'many']);
  });

  it('never exceed the connections, and a turn that ended serves the next', async () => {
    const turns = turnsOf(2);
    let used = 0;
    let most = 0;
    const work = async (group: number) => {
      const end = await turns.acquire(String(group));
      used += 1;
      most = Math.max(most, used);
      await new Promise(setImmediate);
      used -= 1;
      end(true);
    };
    await Promise.all(Array.from({ length: 50 }, (_, index) => work(index % 5)));
    expect([most, used, turns.waiting]).toEqual([2, 0, 0]);
  });

  it.each([
    [true, 'busy'],
    [false, 'silent'],
  ])('time out after another one has ended (served: %s) as %s', async (isServed, message) => {
    const turns = turnsOf(2, 50);
    const [first] = [await turns.acquire('a'), await turns.acquire('a')];
    const [early, late] = [turns.acquire('a'), turns.acquire('b')];
    first(isServed);
    await early;
    await expect(late).rejects.toThrow(message);
    expect(turns.waiting).toBe(0);
  });

  it('time out as busy when the server has replied to a statement without a turn', async () => {
    const turns = turnsOf(1, 50);
    await turns.acquire('a');
    const late = turns.acquire('b');
    turns.noteReply();
    await expect(late).rejects.toThrow('busy');
    await expect(turns.acquire('b')).rejects.toThrow('silent');
  });
});
