import { randomUUID } from 'node:crypto';
import { BENCH_HOME } from '../bench-home.ts';
import type { Finding } from '../report.ts';
import { type SluiceProcess, startSluice } from '../sluice-process.ts';

const USERS = 5;
const STREAMS = 40;
const SQL = 'SELECT * FROM flights LIMIT 100';
const PASSWORD = 'a password of the bench';

interface BurstOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** Sends many streams at once to a host that has just started, with its default settings. None may be refused. */
export async function burst({ rounds, print }: BurstOptions): Promise<readonly Finding[]> {
  const measured: Burst[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using sluice = await startSluice(BENCH_HOME);
    const tokens = await createUsers(sluice);
    const one = await sendBurst(sluice, tokens);
    print(`  ${STREAMS - one.refused} of ${STREAMS} served, last row after ${Math.round(one.lastRowMs)} ms`);
    measured.push(one);
  }
  const detail = `${STREAMS} streams of 100 rows, ${USERS} users, cold host; worst of ${rounds}`;
  return [
    {
      name: 'burst: refused',
      measured: Math.max(...measured.map(({ refused }) => refused)),
      unit: 'streams',
      floor: 0,
      goal: 0,
      better: 'lower',
      detail,
    },
    {
      name: 'burst: last row',
      measured: Math.max(...measured.map(({ lastRowMs }) => lastRowMs)),
      unit: 'ms',
      floor: 10_000,
      goal: 5_000,
      better: 'lower',
      detail,
    },
  ];
}

interface Burst {
  readonly refused: number;
  readonly lastRowMs: number;
}

async function sendBurst({ streamUrl }: SluiceProcess, tokens: readonly string[]): Promise<Burst> {
  const startedMs = performance.now();
  let lastRowMs = 0;
  let refused = 0;
  const stream = async (_: unknown, index: number): Promise<void> => {
    const response = await fetch(`${streamUrl}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', idtoken: tokens[index % tokens.length] ?? '' },
      body: JSON.stringify({ sql: SQL }),
    });
    const text = await response.text();
    if (response.status === 429) refused += 1;
    else if (text.split('"type":"row"').length !== 101)
      throw new Error(`unexpected response ${response.status}: ${text.slice(-300)}`);
    lastRowMs = performance.now() - startedMs;
  };
  await Promise.all(Array.from({ length: STREAMS }, stream));
  return { refused, lastRowMs };
}

/** Creates analysts and returns their id tokens. */
async function createUsers({ apiUrl }: SluiceProcess): Promise<readonly string[]> {
  const admin = await logIn(apiUrl, 'admin@acme.example', 'sluice-demo');
  const tokens: string[] = [];
  for (let count = 0; count < USERS; count += 1) {
    const email = `${randomUUID()}@acme.example`;
    await sendJson(`${apiUrl}/admin/users`, { email, roles: ['analyst'], password: PASSWORD }, { idtoken: admin });
    tokens.push(await logIn(apiUrl, email, PASSWORD));
  }
  return tokens;
}

async function logIn(apiUrl: string, email: string, password: string): Promise<string> {
  const body = await sendJson(`${apiUrl}/auth/login/acme`, { email, password });
  return (body as { id_token: string }).id_token;
}

async function sendJson(url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (response.status >= 300) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return await response.json();
}
