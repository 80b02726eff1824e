import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schemaSteps } from '../src/migrations/index.ts';
import { migrate } from '../src/schema/migrate.ts';
import { LOCK_TIMEOUT_MS, retryOnLockTimeout } from '../src/schema/retry-on-lock-timeout.ts';
import { runSteps } from '../src/schema/run-steps.ts';
import { type ComponentServer, runStatements, startComponentServer, urlOf } from './component-server.ts';
import { type OldWriter, writeUntilStopped } from './old-writer.ts';

/** First schema on which a host could serve: accounts, sessions, the audit log, queries. */
const OLD_STEPS = schemaSteps.findIndex(({ name }) => name === '0006-queries') + 1;
/** Time limit of a host for a reply of its database. */
const WAIT_MS_MAX = 2_000;
const WRITERS = 3;

const apiRole = { name: 'sluice_api', password: 'api-password' };
const streamRole = { name: 'sluice_stream', password: 'stream-password' };

describe.each([14, 18])('PostgreSQL %i', (major) => {
  let server: ComponentServer;
  beforeAll(async () => {
    server = await startComponentServer({ major, port: 26_550 + major });
    for (const { name, password } of [apiRole, streamRole]) {
      await runStatements(server.superuserUrl, `create role ${name} login password '${password}'`);
    }
  }, 120_000);
  afterAll(async () => await server[Symbol.asyncDispose]());

  const take = (ownerUrl: string, count: number): Promise<void> => {
    const steps = schemaSteps.slice(0, count);
    return retryOnLockTimeout(() =>
      runSteps({ ownerUrl, connectTimeoutMs: 2000, lockTimeoutMs: LOCK_TIMEOUT_MS, steps }),
    );
  };

  /** Creates a database of the old version with one user, and hosts that serve it. */
  const startOld = async (database: string): Promise<{ ownerUrl: string; writers: readonly OldWriter[] }> => {
    await runStatements(server.superuserUrl, `create database ${database}`);
    const ownerUrl = urlOf(server.superuserUrl, { role: 'postgres', password: 'postgres', database });
    await take(ownerUrl, OLD_STEPS);
    const rights = `grant select, insert on all tables in schema public to ${apiRole.name}, ${streamRole.name};
      grant update on sessions to ${apiRole.name};
      grant update on queries to ${streamRole.name}`;
    await runStatements(ownerUrl, rights);
    const [tenant] = await runStatements<{ id: string }>(
      ownerUrl,
      `insert into tenants (id, name) values (gen_random_uuid(), 'acme') returning id`,
    );
    const tenantId = tenant?.id ?? '';
    const [user] = await runStatements<{ id: string }>(
      ownerUrl,
      `insert into users (tenant_id, id, email, roles) values ('${tenantId}', gen_random_uuid(), 'ann@example.com', '{analyst}') returning id`,
    );
    const urlAs = ({ name: role, password }: typeof apiRole): string => urlOf(ownerUrl, { role, password, database });
    const urls = { api: urlAs(apiRole), stream: urlAs(streamRole) };
    const account = { tenantId, userId: user?.id ?? '' };
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => writeUntilStopped(urls, account)));
    return { ownerUrl, writers };
  };

  /** Waits until each writer has completed a whole round. */
  const untilAllWrote = async (writers: readonly OldWriter[]): Promise<void> => {
    const before = writers.map((writer) => writer.rounds());
    while (writers.some((writer, index) => writer.rounds() < (before[index] ?? 0) + 2)) await wait(5);
  };

  /** Asserts that no statement was rejected or waited for long, and that each row was written once. */
  const expectServed = async (ownerUrl: string, writers: readonly OldWriter[]): Promise<void> => {
    await Promise.all(writers.map((writer) => writer.stop()));
    expect(Math.max(...writers.map((writer) => writer.longestMs()))).toBeLessThan(WAIT_MS_MAX);
    const rounds = writers.reduce((sum, writer) => sum + writer.rounds(), 0);
    const [written] = await runStatements(
      ownerUrl,
      `select (select count(*) from queries where state = 'FINISHED')::int as queries,
        (select count(*) from sessions where revoked_at is not null)::int as sessions,
        (select count(*) from audit_log where action = 'LOGIN')::int as logins,
        (select count(*) from audit_log where record_id is null and action = 'RUN_QUERY')::int as records,
        (select count(*) from audit_log where record_id is not null)::int as outcomes`,
    );
    expect(written).toEqual({ queries: rounds, sessions: rounds, logins: rounds, records: rounds, outcomes: rounds });
  };

  it('runs step after step while hosts of the first version write, and delays none of them for long', async () => {
    const { ownerUrl, writers } = await startOld('stepwise');
    try {
      for (let count = OLD_STEPS + 1; count <= schemaSteps.length; count += 1) {
        await untilAllWrote(writers);
        await take(ownerUrl, count);
      }
      await untilAllWrote(writers);
    } finally {
      await expectServed(ownerUrl, writers);
    }
  });

  it('is migrated from the first version to this one while hosts of the first version write', async () => {
    const { ownerUrl, writers } = await startOld('once');
    try {
      await untilAllWrote(writers);
      await migrate({ ownerUrl, apiRole, streamRole });
      await untilAllWrote(writers);
    } finally {
      await expectServed(ownerUrl, writers);
    }
  });
});
