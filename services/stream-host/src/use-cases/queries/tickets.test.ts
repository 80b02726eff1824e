import { describe, expect, it } from '@jest/globals';
import { createTicketSeal, createValueSeal } from '@sluice/auth';
import type { AuditRecord, CallerReference, Principal, Tenant } from '@sluice/contract';
import { createInProcessState } from '@sluice/shared-state';
import { buildCaller } from '@sluice/testkit';
import { createCreateTicket, createTakeTicket } from './tickets.ts';

const ann = buildCaller('ann');
const acme = ann.principal.tenant;
const globex: Tenant = { ...acme, id: 'g', name: 'globex' };
const TICKET = {
  method: 'POST',
  path: '/query/download/csv',
  download: { operation: 'downloadCsv', query: {}, body: { sql: 'SELECT secret' } },
} as const;

interface Given {
  readonly auditFails?: Error;
  readonly ticketsPerUser?: number;
  /** The account with its present rights; undefined: it may not act any more. */
  readonly present?: Principal | undefined;
}

function fixture(given: Given = {}) {
  const { oneTimeValues } = createInProcessState();
  const records: AuditRecord[] = [];
  const references: CallerReference[] = [];
  const dependencies = {
    oneTimeValues,
    ticketSeal: createTicketSeal(() => createValueSeal({ current: Buffer.alloc(32, 7) })),
    revalidateCaller: async (reference: CallerReference) => {
      references.push(reference);
      return 'present' in given ? given.present : ann.principal;
    },
    audit: {
      append: async (record: AuditRecord) => {
        if (given.auditFails !== undefined) throw given.auditFails;
        records.push(record);
      },
    },
    ticketLifetimeMs: 59_001,
    ticketsPerUser: given.ticketsPerUser ?? 2,
  };
  const take = createTakeTicket(dependencies);
  return {
    records,
    references,
    oneTimeValues,
    create: () => createCreateTicket(dependencies)(ann, TICKET),
    take: (url: string, tenant?: Tenant) =>
      take({ tenant, isHead: false, address: '192.0.2.1' }, url.replace('/tickets/', '')),
  };
}

describe('a ticket', () => {
  it('gives its download once, with the present rights of its creator', async () => {
    const rights = { ...ann.principal, permissions: new Set(['query:run'] as const) };
    const { create, take, references } = fixture({ present: rights });
    const { url, query_id, expires_in } = await create();
    expect(expires_in).toBe(60);
    const taken = await take(url, acme);
    expect(taken).toEqual({ principal: rights, queryId: query_id, download: TICKET.download });
    expect(references).toEqual([{ tenantName: 'acme', accountKind: 'user', accountId: 'ann' }]);
    await expect(take(url, acme)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is recorded without its id and without the SQL', async () => {
    const { create, records } = fixture();
    const { url, query_id } = await create();
    const metadata = { method: 'POST', path: '/query/download/csv' };
    expect(records).toMatchObject([{ action: 'CREATE_TICKET', target: query_id, metadata }]);
    expect(JSON.stringify(records)).not.toContain('secret');
    expect(JSON.stringify(records)).not.toContain(url.replace('/tickets/', ''));
  });

  it('at the address of another tenant is unknown, and is not used up', async () => {
    const { create, take } = fixture();
    const { url } = await create();
    await expect(take(url, globex)).rejects.toMatchObject({ code: 'not_found' });
    expect((await take(url, undefined)).download).toEqual(TICKET.download);
  });

  it.each(['/tickets/short', `/tickets/${'a'.repeat(43)}`, '/tickets/..%2f'])('%s is unknown', async (url) => {
    await expect(fixture().take(url)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of an account that may not act any more is unknown', async () => {
    const { create, take } = fixture({ present: undefined });
    await expect(take((await create()).url)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('beyond the limit of the account is rejected until another one is used', async () => {
    const { create, take } = fixture({ ticketsPerUser: 1 });
    const { url } = await create();
    await expect(create()).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 60 });
    await take(url);
    await expect(create()).resolves.toBeDefined();
  });

  it('that cannot be recorded does not count against the limit', async () => {
    const { create, oneTimeValues } = fixture({ ticketsPerUser: 1, auditFails: new Error('no audit') });
    await expect(create()).rejects.toThrow('no audit');
    const entry = { key: 'k', group: 'ann', value: 'v' };
    expect(await oneTimeValues.put(entry, { ttlMs: 1_000, groupMax: 1 })).toBe(true);
  });
});
