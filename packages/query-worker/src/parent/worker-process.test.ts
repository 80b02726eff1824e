import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatSpec } from '@sluice/engine/testing';
import { scriptArguments } from '@sluice/testkit';
import { jobOf, never, openPool, runIn, type TestPool } from '../../testing/workers.ts';
import { RESERVED_BYTES } from '../os/reserved-address-space.ts';

const MIB = 1024 ** 2;
const run = promisify(execFile);

let test: TestPool;
beforeAll(async () => {
  test = await openPool({ addressSpaceBytesMax: 1536 * MIB }); // a small address space is exhausted sooner
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

/** Program of a separate host: runs a statement and prints the files that its worker has open. */
const PRINT_FILES = `
  import { readdirSync, readlinkSync } from 'node:fs';
  const { jobOf, openPool, runIn } = await import(${JSON.stringify(new URL('../../testing/workers.ts', import.meta.url).href)});
  const test = await openPool({ workersMax: 1 });
  await runIn(test, jobOf('SELECT 1 AS a'));
  const folder = '/proc/' + test.pool.pids[0] + '/fd/';
  console.log(JSON.stringify(readdirSync(folder).map((descriptor) => readlinkSync(folder + descriptor))));
  await test[Symbol.asyncDispose]();`;

describe('a query worker', () => {
  it('inherits nothing of the environment of its host', async () => {
    await runIn(test, jobOf('SELECT 1 AS a'));
    for (const pid of test.pool.pids) {
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => entry.split('=')[0] ?? '');
      expect(new Set(names)).toEqual(
        new Set(['', 'MALLOC_ARENA_MAX', 'TZ', 'LANG', 'PWD'].filter((name) => names.includes(name))),
      );
    }
  });

  it('has no descriptor that its host inherited', async () => {
    // Node.js closes inherited descriptors on exec up to the first gap after 15 only.
    const command = `exec 40</etc/hostname 41</dev/zero && exec "$0" "$@"`;
    const { stdout } = await run('bash', ['-c', command, process.execPath, ...scriptArguments(PRINT_FILES)]);
    const files = JSON.parse(stdout) as readonly string[];
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => /^\/etc\/hostname$|^\/dev\/zero$/.test(file))).toEqual([]);
  });

  it('runs under the limit on its address space', async () => {
    await runIn(test, jobOf('SELECT 1 AS a'));
    const [pid] = test.pool.pids;
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    expect(limits).toMatch(new RegExp(`Max address space\\s+${1_536 * 1024 ** 2 + RESERVED_BYTES} `));
  });

  it('has a lower priority than its host on all threads once it has run a statement', async () => {
    await runIn(test, jobOf('SELECT max(i) AS n FROM range(1000000) AS r(i)'));
    const [pid = 0] = test.pool.pids;
    const threads = readdirSync(`/proc/${pid}/task`).map(Number);
    expect(threads.length).toBeGreaterThan(1);
    for (const thread of threads) expect(getPriority(thread)).toBeGreaterThan(getPriority());
  });

  it('reports a crash, and the next statement gets another worker', async () => {
    const job = jobOf('SELECT i FROM range(1000000000) AS r(i)');
    using lease = await test.acquire(job.engine.key, never());
    const events = lease.run(job, never());
    let pids: readonly number[] = [];
    const run = (async () => {
      // A statement whose worker ends before its first frame runs once more.
      for await (const event of events)
        if (event.kind === 'columns') {
          pids = test.pool.pids;
          for (const pid of pids) process.kill(pid, 'SIGSEGV');
        }
    })();
    await expect(run).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('crashed') });
    expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
    expect(test.pool.pids.filter((pid) => pids.includes(pid))).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'reports that %s from outside ended it, not a lack of memory, and the next statement gets another worker',
    async (signal) => {
      const job = jobOf('SELECT i FROM range(1000000000) AS r(i)');
      using lease = await test.acquire(job.engine.key, never());
      const events = lease.run(job, never());
      const run = (async () => {
        for await (const event of events)
          if (event.kind === 'columns') for (const pid of test.pool.pids) process.kill(pid, signal);
      })();
      await expect(run).rejects.toMatchObject({
        code: 'engine_crashed',
        message: expect.stringContaining('killed from outside'),
      });
      expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
    },
  );

  it('passes rows larger than 256 KiB, and of several megabytes', async () => {
    const sql = "SELECT i, repeat('x', 300000) AS v FROM range(20) AS r(i)";
    const text = await runIn(test, jobOf(sql, 'acme', formatSpec({ name: 'csv' })));
    expect(text.split('\n').map((line) => line.length)).toEqual([
      ...Array(10).fill(300_002),
      ...Array(10).fill(300_003),
      0,
    ]);
    const large = await runIn(test, jobOf("SELECT repeat('äöü', 1000000) AS v FROM range(3)"));
    expect(large.split(',\n').map((row) => (JSON.parse(row) as { v: string }).v)).toEqual(
      Array(3).fill('äöü'.repeat(1_000_000)),
    );
  });
});
