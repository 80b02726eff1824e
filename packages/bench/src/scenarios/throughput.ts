import type { IncomingMessage } from 'node:http';
import { startBaselineServer, startGovernedServer } from '../baseline-server.ts';
import { drain, openUrl, openWithToken } from '../http-client.ts';
import { type CpuSplit, cpuSplitOf } from '../process-tree.ts';
import type { Finding } from '../report.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import type { SluiceProcess } from '../sluice-process.ts';
import { median } from '../statistics.ts';
import type { Scenario } from './scenario.ts';

const CLIENTS = 50;
const REQUESTS = 1_000;
/** V8 compiles the code of each process for thousands of requests, and Sluice has more processes than the others. */
const WARM_UP_LOADS = 5;
const SQL = 'SELECT * FROM bench_lineitem LIMIT 100';
const THREADS = 2;

/** A server under load: how to send one query, and the process whose time counts. */
interface Subject {
  readonly pid: number;
  readonly open: () => Promise<IncomingMessage>;
}

interface Load {
  readonly perSecond: number;
  /** Processor time per request, in milliseconds. */
  readonly cpuMs: CpuSplit;
}

/**
 * Compares many concurrent small queries with two servers that have the same engine and the same settings: one without login, audit
 * record and isolation, and one with a login and an audit record. The rounds are interleaved.
 */
export const throughput: Scenario = async ({ sluice, database, rounds }) => {
  await using plain = await startBaselineServer(database, THREADS);
  await using governed = await startGovernedServer(database, THREADS);
  const token = await logIn(sluice);
  const subjects = {
    plain: { pid: plain.pid, open: () => openUrl(plain.urlFor(SQL)) },
    governed: { pid: governed.pid, open: () => openWithToken(governed.url, governed.token, { sql: SQL }) },
    sluice: { pid: sluice.pid, open: () => openWithToken(`${sluice.streamUrl}/query`, token, { sql: SQL }) },
  } satisfies Record<string, Subject>;
  for (const subject of Object.values(subjects))
    for (let count = 0; count < WARM_UP_LOADS; count += 1) await load(subject);
  const measured = await runUndisturbed(rounds, async () => ({
    plain: await load(subjects.plain),
    governed: await load(subjects.governed),
    sluice: await load(subjects.sluice),
  }));
  const ofSubject = (name: keyof typeof subjects): readonly Load[] => measured.results.map((round) => round[name]);
  const ours = ofSubject('sluice');
  const compare = (what: string, other: readonly Load[], limits: Pick<Finding, 'floor' | 'goal'>): Finding => ({
    name: `${CLIENTS} clients × 100 rows, requests/s, × of ${what}`,
    measured: median(ours.map((one, round) => one.perSecond / (other[round]?.perSecond ?? Number.NaN))),
    unit: '×',
    ...limits,
    better: 'higher',
    detail: `${describe(ours)} against ${describe(other)}${disturbance(measured)}`,
  });
  return [
    compare('the governed baseline server', ofSubject('governed'), { floor: 1, goal: 1.3 }),
    compare('the baseline server', ofSubject('plain'), { floor: 0.7, goal: 0.9 }),
  ];
};

async function load({ pid, open }: Subject): Promise<Load> {
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await drain(await open());
    }
  };
  const before = cpuSplitOf(pid);
  const start = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - start) / 1_000;
  const after = cpuSplitOf(pid);
  const msOf = (part: keyof CpuSplit): number => ((after[part] - before[part]) * 1_000) / REQUESTS;
  return {
    perSecond: REQUESTS / seconds,
    cpuMs: { server: msOf('server'), workers: msOf('workers'), postgres: msOf('postgres') },
  };
}

function describe(loads: readonly Load[]): string {
  const of = (part: keyof CpuSplit): string => median(loads.map(({ cpuMs }) => cpuMs[part])).toFixed(1);
  const rate = median(loads.map(({ perSecond }) => perSecond)).toFixed(0);
  return `${rate}/s (processor ms per request: server ${of('server')}, workers ${of('workers')}, PostgreSQL ${of('postgres')})`;
}

/** Returns an access token, so that both governed servers check the same kind of credential. */
async function logIn({ apiUrl }: SluiceProcess): Promise<string> {
  const response = await fetch(`${apiUrl}/auth/login/acme`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'analyst@acme.example', password: 'sluice-demo' }),
  });
  if (!response.ok) throw new Error(`the login returned ${response.status}`);
  return ((await response.json()) as { readonly access_token: string }).access_token;
}
