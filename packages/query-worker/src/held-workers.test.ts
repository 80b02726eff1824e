import { describe, expect, it } from '@jest/globals';
import { HeldWorkers } from './held-workers.ts';

describe('held workers', () => {
  it('are counted by account, and nobody’s are not', () => {
    const held = new HeldWorkers();
    held.take('ann');
    held.take('ann');
    held.take('bob');
    held.take(undefined);
    held.giveBack('ann');
    held.giveBack(undefined);
    expect([held.of('ann'), held.of('bob'), held.of(undefined), held.of('eve')]).toEqual([1, 1, 0, 0]);
  });

  it('that are lost count until they are replaced, in their order, or nothing more will replace them', () => {
    const held = new HeldWorkers();
    for (const account of ['ann', 'bob', 'ann']) held.take(account);
    for (const account of ['ann', 'bob', 'ann']) held.lose(account);
    expect([held.of('ann'), held.of('bob')]).toEqual([2, 1]);
    held.replaceOne();
    expect([held.of('ann'), held.of('bob')]).toEqual([1, 1]);
    held.replaceAll();
    held.replaceOne();
    expect([held.of('ann'), held.of('bob')]).toEqual([0, 0]);
  });
});
