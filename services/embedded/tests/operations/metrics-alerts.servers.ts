import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROBLEMS } from '@sluice/contract';
import { describeMetrics } from '@sluice/observability';
import { send, until } from '@sluice/testkit';
import {
  ALERT_RULES,
  ALERTS_FILE,
  readDashboardQueries,
  type ScrapedHosts,
  startScrapedHosts,
  vectorOf,
} from '@sluice/testkit/hosts';
import { basicOf, idtoken, logIn, post, refresh, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import { startMixedLoad } from './mixed-load.ts';

// Run by `npm run test:metrics`, which installs Prometheus.
let scraped: ScrapedHosts;
beforeAll(async () => {
  scraped = await startScrapedHosts();
}, 120_000);
afterAll(async () => await scraped?.[Symbol.asyncDispose]());

const FIRES_WITHIN_MS = 40_000;

/** Stops a process for most of the time, like a container without processor time. */
async function starve(pid: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    process.kill(pid, 'SIGSTOP');
    await wait(500);
    process.kill(pid, 'SIGCONT');
    await wait(60);
  }
}

/** Repeats some work until it is over. */
const repeat = async (isOver: () => boolean, work: () => Promise<unknown>): Promise<void> => {
  while (!isOver()) await work().catch(() => undefined);
};

type Fault = (isOver: () => boolean) => Promise<void>;

const select1 = () => post(`${scraped.stream.url}/query`, { sql: 'SELECT 1' }, basicOf(scraped.hosts.ann));

/** Takes from the stream host's role the right to write audit records. */
async function withoutAuditRights(isOver: () => boolean): Promise<void> {
  const { hosts } = scraped;
  const role = new URL(hosts.testDatabase.streamUrl).username;
  await hosts.rows(`revoke insert on audit_log from ${role}`);
  try {
    await repeat(isOver, select1);
  } finally {
    await hosts.rows(`grant insert on audit_log to ${role}`);
  }
}

const logInAtApi = () => logIn({ api: { ...scraped.hosts.api, url: scraped.apiUrl } }, scraped.hosts.ann);

/** Adds an entry after the end of the chain, which a host did not write, again and again. */
const withForgedEntries = (isOver: () => boolean): Promise<void> =>
  repeat(isOver, async () => {
    await scraped.hosts.rows(
      `insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
       select id, 1000000, now(), gen_random_uuid(), sha256('') from tenants where name = 'acme'`,
    );
    await logInAtApi();
    await wait(1000);
  });

/** Takes from the API host's role the right to seal. */
async function withoutSealingRights(isOver: () => boolean): Promise<void> {
  const { hosts } = scraped;
  const role = new URL(hosts.testDatabase.apiUrl).username;
  await hosts.rows(`revoke insert on audit_chain from ${role}`);
  try {
    await repeat(isOver, () => Promise.all([logInAtApi(), wait(500)]));
  } finally {
    await hosts.rows(`grant insert on audit_chain to ${role}`);
  }
}

async function withCutDatabase(isOver: () => boolean): Promise<void> {
  scraped.hosts.proxy.cut();
  try {
    await repeat(isOver, () => Promise.all([select1(), wait(100)]));
  } finally {
    scraped.hosts.proxy.restore();
    const isReady = async () => ((await send(`${scraped.stream.url}/ready`)).status === 200 ? true : undefined);
    await until(isReady, { what: 'the readiness of the stream host', withinMs: 20_000 });
  }
}

/**
 * Locks a table again and again, each time for longer than a slow statement, while twelve requests read it: four of each of three accounts,
 * because one account may use half of the connections.
 */
async function withLockedTable(isOver: () => boolean): Promise<void> {
  const { apiUrl, hosts, stream } = scraped;
  const users = [hosts.ann, await hosts.build.user(hosts.acme), await hosts.build.user(hosts.acme)];
  const sessions = await Promise.all(users.map((user) => logIn({ api: { ...hosts.api, url: apiUrl } }, user)));
  await repeat(isOver, async () => {
    const locked = hosts.rows('begin; lock table queries in access exclusive mode; select pg_sleep(1.5); commit');
    await wait(50);
    const requests = sessions.flatMap(({ id_token: token }) =>
      Array.from({ length: 4 }, () => send(`${stream.url}/query/${randomUUID()}`, { headers: idtoken(token) })),
    );
    await Promise.allSettled([locked, ...requests]);
  });
}

async function withKilledWorkers(isOver: () => boolean): Promise<void> {
  await repeat(isOver, async () => {
    const query = await startQuery(scraped.stream.url, ENDLESS, basicOf(scraped.hosts.ann));
    let hasEnded = false;
    const ended = query.text
      .catch(() => undefined)
      .finally(() => {
        hasEnded = true;
      });
    // A query that has sent nothing yet runs once more on another worker.
    for (; !hasEnded; await wait(200))
      for (const pid of await scraped.stream.workerPids()) process.kill(pid, 'SIGKILL');
    await ended;
  });
}

async function withBusyWorkers(isOver: () => boolean): Promise<void> {
  const { stream, hosts } = scraped;
  const leaving = new AbortController();
  const queries = Array.from({ length: 4 }, () =>
    fetch(`${stream.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...basicOf(hosts.ann) },
      body: JSON.stringify({ sql: ENDLESS }),
      signal: leaving.signal,
    }).then((response) => response.text()),
  );
  await until(() => (isOver() ? true : undefined), { what: 'the alert', withinMs: FIRES_WITHIN_MS });
  leaving.abort();
  await Promise.allSettled(queries);
}

async function withManyConnections(isOver: () => boolean): Promise<void> {
  const { port } = new URL(scraped.victim.current().url);
  await repeat(isOver, async () => {
    const sockets = Array.from({ length: 15 }, () => connect({ host: '127.0.0.1', port: Number(port) }));
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.race([wait(500), once(sockets.at(-1) ?? sockets[0] ?? never(), 'close')]);
    for (const socket of sockets) socket.destroy();
  });
}

const never = (): never => {
  throw new Error('unreachable');
};

let guesses = 0;
const withWrongPasswords = (isOver: () => boolean): Promise<void> =>
  repeat(isOver, () => {
    guesses += 1;
    return post(`${scraped.apiUrl}/auth/login/acme`, { email: `nobody-${guesses}@acme.example`, password: 'guess' });
  });

async function withStolenToken(): Promise<void> {
  const { apiUrl, hosts } = scraped;
  const { refresh_token: first } = await logIn({ api: { ...hosts.api, url: apiUrl } }, hosts.ann);
  const { refresh_token: second } = (await refresh(apiUrl, first)).body as { refresh_token: string };
  await refresh(apiUrl, second);
  expect((await refresh(apiUrl, first)).status).toBe(400);
}

async function withDeadHost(isOver: () => boolean): Promise<void> {
  await scraped.victim.kill();
  await until(() => (isOver() ? true : undefined), { what: 'the alert', withinMs: FIRES_WITHIN_MS });
  await scraped.victim.start();
}

/** Restarts a host, and waits until Prometheus has seen each start. */
const withRestarts = (isOver: () => boolean): Promise<void> =>
  repeat(isOver, async () => {
    await scraped.victim.kill();
    await scraped.victim.start();
    await wait(4_000);
  });

/** The fault of each alert, in the order of the test: those that leave failed requests behind come last. */
const FAULTS: Readonly<Record<string, Fault>> = {
  SluiceQueriesWaiting: withBusyWorkers,
  SluiceConnectionsDropped: withManyConnections,
  SluiceEventLoopBlocked: (isOver) => starve(scraped.victim.current().child.pid ?? 0, isOver),
  SluiceRefreshTokenReused: withStolenToken,
  SluiceFailedLogins: withWrongPasswords,
  SluiceDatabaseConnectionsUsedUp: withLockedTable,
  SluiceDatabaseSlow: withLockedTable,
  SluiceAuditTampering: withForgedEntries,
  SluiceAuditNotSealed: withoutSealingRights,
  SluiceQueryFailures: withKilledWorkers,
  SluiceAuditFailures: withoutAuditRights,
  SluiceBackEndDown: withCutDatabase,
  SluiceServerErrors: withCutDatabase,
  SluiceHostDown: withDeadHost,
  SluiceHostRestarts: withRestarts,
};

describe('the metrics of running hosts', () => {
  it('are exactly those of docs/metrics.md, in a form that promtool accepts', async () => {
    const { own, process: ofProcess } = describeMetrics();
    const documented = [...own, ...ofProcess].map(({ name }) => name).sort();
    for (const url of scraped.metricsUrls) {
      const { text } = await send(url);
      const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name).sort();
      expect(names).toEqual(documented);
      const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
      expect(
        checked.stderr
          .split('\n')
          .filter((line) => !/^sluice_(nodejs|process)_/.test(line))
          .join('\n'),
      ).toBe('');
    }
  });
});

describe('under load', () => {
  it('no query of the dashboard is empty, no alert lacks its metric, and no alert fires', async () => {
    const { prometheus } = scraped;
    const endLoad = await startMixedLoad(scraped);
    const queries = [
      ...(await readDashboardQueries()),
      ...ALERT_RULES.map((rule) => ({ panel: rule.alert, expr: vectorOf(rule) })),
    ];
    let empty: readonly string[] = [];
    const isFilled = async () => {
      const results = await Promise.all(queries.map(({ expr }) => prometheus.query(expr)));
      empty = queries.filter((_, index) => results[index]?.length === 0).map(({ panel, expr }) => `${panel}: ${expr}`);
      return empty.length === 0 ? true : undefined;
    };
    await until(isFilled, { what: 'a value of every query', withinMs: 40_000 }).catch(() => undefined);
    expect(empty).toEqual([]);
    // A start on a busy machine is slow, so the first values count as a fault until they leave the windows.
    const isQuiet = async () => ((await prometheus.firing()).size === 0 ? true : undefined);
    await until(isQuiet, { what: 'a time without alerts', withinMs: 60_000 });
    expect(queries.length).toBeGreaterThan(40);
    expect([...(await endLoad())].sort()).toEqual([200, 401, 403]);
  });
});

describe('an alert', () => {
  it('is accepted by promtool, and its rule has a fault here and a section in docs/operations.md', async () => {
    const checked = spawnSync('promtool', ['check', 'rules', fileURLToPath(ALERTS_FILE)], { encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
    const names = ALERT_RULES.map(({ alert }) => alert).sort();
    expect(Object.keys(FAULTS).sort()).toEqual(names);
    const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
    const sections = [...page.matchAll(/^### (Sluice\w+)$/gm)].map(([, name]) => name).sort();
    expect(sections).toEqual(names);
    for (const { alert, annotations } of ALERT_RULES) {
      expect(annotations['runbook']).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(annotations['summary']).toMatch(/\.$/);
    }
    const codes = ALERT_RULES.flatMap(({ expr }) => [...expr.matchAll(/error_type=~"([a-z_|]+)"/g)]).flatMap(
      ([, listed = '']) => listed.split('|'),
    );
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => !Object.hasOwn(PROBLEMS, code))).toEqual([]);
  });

  it.each(Object.entries(FAULTS))('%s fires with its fault', async (name, fault) => {
    let isFiring = false;
    const working = fault(() => isFiring);
    try {
      const fires = async () => ((await scraped.prometheus.firing()).has(name) ? true : undefined);
      await until(fires, { what: `the alert ${name}`, withinMs: FIRES_WITHIN_MS });
    } finally {
      isFiring = true;
      await working;
    }
  });
});
