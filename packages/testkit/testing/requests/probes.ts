import { expect } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';

/** Asserts that a host reports a lost database. Back ends are checked in the background, with a timeout of 2 s. */
export async function assertLostPostgres(url: string): Promise<void> {
  const ready = await until(
    async () => {
      const answer = await send(`${url}/ready`);
      return answer.status === 200 ? undefined : answer;
    },
    { what: 'a host that is not ready' },
  );
  expect([ready.status, ready.body.checks.postgres]).toEqual([503, 'down']);
  const health = await send(`${url}/health`);
  expect([health.status, health.body.status]).toEqual([200, 'degraded']);
}

const PROBE_MS = 200;
const PROBES = 30;

/**
 * Asserts that every probe responds within 200 ms in the median, whatever is down. For tests that run alone. Other work on the machine only adds to some samples,
 * while a probe that waits for a back end is slow every time. Returns the last response of `/ready`.
 */
export async function assertPromptProbes(url: string): Promise<ReceivedResponse> {
  let ready: ReceivedResponse | undefined;
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
  return ready as ReceivedResponse;
}

/** Asserts the 503 of a host without a database: it has Retry-After and discloses no details. */
export function assertUnavailable({ status, headers, body, text }: ReceivedResponse): void {
  expect([status, headers['content-type']]).toEqual([503, 'application/json']);
  expect(['service_unavailable', 'audit_unavailable']).toContain(body.error);
  expect(body.message).toMatch(/^[A-Z].*Try again (soon|in a moment)\.$/);
  expect(headers['retry-after']).toBe('1');
  expect(text).not.toMatch(/127\.0\.0\.1|ECONN|pg_|postgres/i);
}
