import { expect } from '@jest/globals';
import { send } from './requests.ts';
import { until } from './until.ts';

/** A host that is well but for its database says so, soon: what a probe found is remembered for a second. */
export async function expectLostPostgres(url: string): Promise<void> {
  const ready = await until(
    async () => {
      const answer = await send(`${url}/ready`);
      return answer.status === 200 ? undefined : answer;
    },
    { what: 'a host that is not ready', withinMs: 2_000 },
  );
  expect([ready.status, ready.body.checks.postgres]).toEqual([503, 'down']);
  const health = await send(`${url}/health`);
  expect([health.status, health.body.status]).toEqual([200, 'degraded']);
}
