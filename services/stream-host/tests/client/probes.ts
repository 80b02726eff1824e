import { expect } from '@jest/globals';
import { until } from '@sluice/testkit';
import { type Answered, send } from './requests.ts';

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

/** A refusal by a host that cannot ask its database: it says so, names nothing of it, and tells when to come back. */
export function expectUnavailable({ status, headers, body, text }: Answered): void {
  expect([status, headers['content-type']]).toEqual([503, 'application/json']);
  expect(['service_unavailable', 'audit_unavailable']).toContain(body.error);
  expect(body.message).toMatch(/^[A-Z].*Try again (soon|in a moment)\.$/);
  expect(headers['retry-after']).toBe('1');
  expect(text).not.toMatch(/127\.0\.0\.1|ECONN|pg_|postgres/i);
}
