import { describe, expect, it } from '@jest/globals';
import { hostHeartbeat } from './host-heartbeat.ts';

/** Heartbeat with a database that can be unavailable, and a clock that the test moves. */
function fixture(silenceMs = 20_000) {
  const state = { unavailable: false, time: 0, reaped: 0, silentMs: 0 };
  const work = hostHeartbeat({
    id: 'a',
    service: 'stream',
    silenceMs,
    now: () => state.time,
    hosts: {
      sendHeartbeat: async () => {
        if (state.unavailable) throw new Error('the database is unavailable');
      },
      reapSilent: async (silentMs) => {
        state.reaped += 1;
        state.silentMs = silentMs;
        return 0;
      },
    },
  });
  const pass = async (seconds: number) => {
    for (let at = 0; at < seconds; at += 5) {
      await work.run().catch(() => undefined);
      state.time += 5_000;
    }
  };
  return { state, pass, work };
}

describe('hostHeartbeat', () => {
  it('closes queries of dead hosts only after it has sent heartbeats for the silence limit', async () => {
    const { state, pass } = fixture();
    await pass(20);
    expect(state.reaped).toBe(0);
    await pass(5);
    expect(state.reaped).toBe(1);
  });

  it('derives its interval from the silence after which hosts count as dead', async () => {
    const { state, pass, work } = fixture(40_000);
    expect(work.everyMs).toBe(10_000);
    await pass(40);
    expect(state.reaped).toBe(0);
    await pass(5);
    expect(state).toMatchObject({ reaped: 1, silentMs: 40_000 });
  });

  it('gives other hosts time to send heartbeats after an outage of the database', async () => {
    const { state, pass } = fixture();
    await pass(30);
    state.unavailable = true;
    await pass(60);
    state.unavailable = false;
    const before = state.reaped;
    await pass(20);
    expect(state.reaped).toBe(before);
    await pass(5);
    expect(state.reaped).toBe(before + 1);
  });
});
