import { expect } from '@jest/globals';
import { until } from '@sluice/testkit';
import { type Answered, send } from './requests.ts';

/** A host that is well but for its database says so, soon: back ends are checked in the background, a hung one for 2 s. */
export async function expectLostPostgres(url: string): Promise<void> {
  const ready = await until(
    async () => {
      const answer = await send(`${url}/ready`);
      return answer.status === 200 ? undefined : answer;
    },
    { what: 'a host that is not ready', withinMs: 5_000 },
  );
  expect([ready.status, ready.body.checks.postgres]).toEqual([503, 'down']);
  const health = await send(`${url}/health`);
  expect([health.status, health.body.status]).toEqual([200, 'degraded']);
}

const PROBE_MS = 200;
const PROBES = 30;

/**
 * Every probe responds within 200 ms, whatever is down: half of many samples at least, since other work on the machine only ever adds to
 * them, and a probe that waits for a back end waits each time. Gives the last response of `/ready`.
 */
export async function expectPromptProbes(url: string): Promise<Answered> {
  let ready: Answered | undefined;
  for (const path of ['/health', '/live', '/ready']) {
    const took: number[] = [];
    while (took.length < PROBES) {
      const begun = performance.now();
      const answer = await send(`${url}${path}`);
      took.push(performance.now() - begun);
      if (path === '/ready') ready = answer;
      else expect([path, answer.status]).toEqual([path, 200]);
    }
    const median = took.sort((a, b) => a - b)[PROBES / 2] ?? Number.POSITIVE_INFINITY;
    expect([path, median < PROBE_MS ? 'prompt' : median]).toEqual([path, 'prompt']);
  }
  return ready as Answered;
}

/** A refusal by a host that cannot ask its database: it says so, names nothing of it, and tells when to come back. */
export function expectUnavailable({ status, headers, body, text }: Answered): void {
  expect([status, headers['content-type']]).toEqual([503, 'application/json']);
  expect(['service_unavailable', 'audit_unavailable']).toContain(body.error);
  expect(body.message).toMatch(/^[A-Z].*Try again (soon|in a moment)\.$/);
  expect(headers['retry-after']).toBe('1');
  expect(text).not.toMatch(/127\.0\.0\.1|ECONN|pg_|postgres/i);
}
