import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type CliHosts, startCliHosts } from '../tests/cli/cli-hosts.ts';
import { runSluice } from '../tests/cli/run-command.ts';

let cli: CliHosts;
beforeAll(async () => {
  cli = await startCliHosts();
});
afterAll(async () => await cli?.[Symbol.asyncDispose]());

it('a million rows pass in constant memory', async () => {
  const peaks: number[] = [];
  for (const rows of [100_000, 1_000_000]) {
    let peakKb = 0;
    let bytes = 0;
    const run = await runSluice(
      ['query', `SELECT range AS n, 'row ' || range AS t, range * 0.01 AS d FROM range(${rows})`],
      {
        env: cli.analyst,
        onStart: (child) => {
          child.stdout.removeAllListeners('data').on('data', (text: string) => {
            bytes += text.length;
            const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
            peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
          });
        },
      },
    );
    expect(run.stderr).toContain(`${rows.toLocaleString('en-US')} rows in`);
    expect(bytes).toBeGreaterThan(rows * 15);
    peaks.push(peakKb);
  }
  // Ten times the rows: the heap may grow to its working size, not with the 80 MB of events.
  expect((peaks[1] ?? 0) - (peaks[0] ?? 0)).toBeLessThan(60_000);
});
