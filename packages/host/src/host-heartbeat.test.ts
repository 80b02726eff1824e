import { describe, expect, it } from '@jest/globals';
import { hostHeartbeat } from './host-heartbeat.ts';

/** A database that can be away, and a clock that only the test moves. */
function outage() {
  const state = { away: false, time: 0, reaped: 0 };
  const work = hostHeartbeat({
    id: 'a',
    service: 'stream',
    now: () => state.time,
    hosts: {
      sendHeartbeat: async () => {
        if (state.away) throw new Error('the database is away');
      },
      reapSilent: async () => {
        state.reaped += 1;
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
  return { state, pass };
}

describe('the life of a host', () => {
  it('judges nobody before it has itself been steady for as long as silence takes', async () => {
    const { state, pass } = outage();
    await pass(20);
    expect(state.reaped).toBe(0);
    await pass(5);
    expect(state.reaped).toBe(1);
  });

  it('gives the others time to speak after an outage of the database', async () => {
    const { state, pass } = outage();
    await pass(30);
    state.away = true;
    await pass(60);
    state.away = false;
    const before = state.reaped;
    await pass(20);
    expect(state.reaped).toBe(before);
    await pass(5);
    expect(state.reaped).toBe(before + 1);
  });
});
