import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RunScript } from './create-scripts.ts';
import { Heartbeat } from './heartbeat.ts';
import { HeldRequests } from './held-requests.ts';
import { createSlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';

const fixture = (replies: () => Promise<unknown> = async () => 0) => {
  const calls: Parameters<RunScript>[] = [];
  const held = new HeldRequests();
  const keys = createSlotKeys('p:');
  const run: RunScript = (...call) => {
    calls.push(call);
    return replies();
  };
  return { calls, held, heartbeat: new Heartbeat({ run, keys, held }) };
};
const namesOf = (calls: readonly Parameters<RunScript>[]) => calls.map(([name]) => name);

describe('Heartbeat', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('sends what the host holds, after the heartbeat itself', async () => {
    const { calls, held, heartbeat } = fixture();
    held.put({ id: '1', tenantId: 'acme', accountId: 'ann', sinceMs: 0 }, 'running');
    held.put({ id: '2', tenantId: 'acme', accountId: 'bob', sinceMs: 0 }, 'queued');
    await heartbeat.send();
    expect(namesOf(calls)).toEqual(['heartbeat', 'renew']);
    expect(calls[1]?.[2].slice(2)).toEqual(['back', 1, 1, 'ann/1', 'bob/2']);
  });

  it('says whether it was silent for longer than the hosts allow', async () => {
    const { calls, held, heartbeat } = fixture();
    held.put({ id: '1', tenantId: 'acme', accountId: 'ann', sinceMs: 0 }, 'running');
    const stateOfNext = async (afterMs: number) => {
      jest.advanceTimersByTime(afterMs);
      await heartbeat.send();
      return calls.at(-1)?.[2][2];
    };
    expect([
      await stateOfNext(0),
      await stateOfNext(TIMING.silenceMs - 1),
      await stateOfNext(TIMING.silenceMs),
    ]).toEqual(['back', 'steady', 'back']);
  });

  it('shares the reply of a running heartbeat, and returns the time until slots are granted', async () => {
    const { calls, heartbeat } = fixture(async () => '2500');
    expect(await Promise.all([heartbeat.send(), heartbeat.send()])).toEqual([2500, 2500]);
    expect(namesOf(calls)).toEqual(['heartbeat']);
  });

  it('fails without a reply, and is sent anew after that', async () => {
    const replies = [() => Promise.reject(new Error('gone')), async () => 0];
    const { calls, heartbeat } = fixture(() => (replies.shift() ?? (async () => 0))());
    await expect(heartbeat.send()).rejects.toThrow('gone');
    expect(await heartbeat.send()).toBe(0);
    expect(calls).toHaveLength(2);
  });
});
