import type { AuditRecord } from '@sluice/contract';
import { createAuditStore } from '@sluice/store/audit';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import pg from 'pg';
import type { Finding } from '../report.ts';
import { median } from '../statistics.ts';
import type { AuditDatabase } from './audit-database.ts';

/** Separate from the tenant whose pages are measured: the database is kept, and these records would be on its first page. */
const TENANT = 'bench-appends';
const WRITERS = 8;
const ROUND_MS = 4000;

const record = (tenantId: string): AuditRecord => ({
  tenantId,
  user: 'writer@example.com',
  action: 'LOGIN',
  target: 'writer@example.com',
  metadata: { method: 'password', detail: 'x'.repeat(60) },
  requestId: crypto.randomUUID(),
  sessionId: crypto.randomUUID(),
  address: '10.0.0.1',
  userAgent: 'bench/1.0',
});

/** Returns the writes per second of all writers together. */
async function rate(write: (writer: number) => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  let done = 0;
  const work = async (_none: unknown, writer: number): Promise<void> => {
    while (performance.now() - startedMs < ROUND_MS) {
      await write(writer);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, work));
  return (done / (performance.now() - startedMs)) * 1000;
}

const BARE_TABLE = `
  create table if not exists bare_log (tenant_id uuid not null, id uuid not null, occurred timestamptz not null, user_name text not null,
    action text not null, target text not null, metadata jsonb not null, request_id text, session_id uuid, address text, user_agent text,
    primary key (tenant_id, occurred, id));
  truncate bare_log`;
const BARE = {
  name: 'bare_insert',
  text: `insert into bare_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, session_id, address, user_agent)
    values ($1, $2, now(), $3, $4, $5, $6, $7, $8, $9, $10)`,
};

/** Compares durable appends of eight writers with bare single-row inserts on as many connections, into a table with a key only. */
export async function measureAppends(database: AuditDatabase, rounds: number): Promise<readonly Finding[]> {
  await using ours = createDatabase({ url: database.apiUrl, poolMax: WRITERS });
  const store = createAuditStore(ours);
  const tenants = createTenantStore(ours);
  const { id: appendsTo } = (await tenants.findByName(TENANT)) ?? (await tenants.create({ name: TENANT }));
  const clients = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: database.superuserUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    await clients[0]?.query(BARE_TABLE);
    const bare = async (writer: number): Promise<unknown> => {
      const { tenantId, user, action, target, metadata, requestId, sessionId, address, userAgent } = record(appendsTo);
      const values = [
        tenantId,
        crypto.randomUUID(),
        user,
        action,
        target,
        JSON.stringify(metadata),
        requestId,
        sessionId,
        address,
        userAgent,
      ];
      return await clients[writer]?.query({ ...BARE, values });
    };
    const rates = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push(await rate(bare));
      rates.ours.push(await rate(() => store.append(record(appendsTo))));
    }
    const [oursMedian, bareMedian] = [median(rates.ours), median(rates.bare)];
    return [
      {
        name: 'durable appends, 8 writers, × of bare inserts',
        measured: oursMedian / bareMedian,
        unit: '×',
        floor: 0.5,
        goal: 0.8,
        better: 'higher',
        detail: `${Math.round(oursMedian)}/s, bare ${Math.round(bareMedian)}/s`,
      },
    ];
  } finally {
    await clients[0]?.query('drop table if exists bare_log');
    await Promise.all(clients.map((client) => client.end()));
  }
}
