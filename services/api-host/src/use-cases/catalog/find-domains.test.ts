import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import type { StoredDomain } from '@sluice/store/catalog';
import { buildCaller } from '@sluice/testkit';
import { createFindDomain, createFindDomains } from './find-domains.ts';

const caller = buildCaller('ann');

function fixture() {
  const pages: unknown[] = [];
  const records: AuditRecord[] = [];
  const dependencies = {
    domains: {
      list: async (_tenantId: string, page: unknown) => {
        pages.push(page);
        return { total: 0, domains: [] } as never;
      },
      find: async (_tenantId: string, id: string) =>
        id === 'd' ? ({ id: 'd', name: 'Sales' } as unknown as StoredDomain) : undefined,
    },
    audit: { append: async (record: AuditRecord) => void records.push(record) },
  };
  return { pages, records, list: createFindDomains(dependencies), find: createFindDomain(dependencies) };
}

it('domains are listed by 100, with a record of the page', async () => {
  const { pages, records, list } = fixture();
  await list(caller, {});
  await list(caller, { from: 5, size: 2 });
  expect(pages).toEqual([
    { from: 0, size: 100 },
    { from: 5, size: 2 },
  ]);
  expect(records.map(({ action, metadata }) => [action, metadata])).toEqual(
    pages.map((page) => ['READ_DOMAINS', page]),
  );
});

it('one domain is recorded by its name; an unknown one is not_found and not recorded', async () => {
  const { records, find } = fixture();
  expect((await find(caller, 'd')).name).toBe('Sales');
  await expect(find(caller, 'x')).rejects.toMatchObject({ code: 'not_found' });
  expect(records).toMatchObject([{ action: 'READ_DOMAINS', target: 'Sales', metadata: { domain_id: 'd' } }]);
  expect(records).toHaveLength(1);
});
