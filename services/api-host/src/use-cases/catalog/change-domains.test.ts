import { describe, expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import type { DomainChange, DomainRejection, DomainStore, StoredDomain } from '@sluice/store/catalog';
import { buildCaller } from '@sluice/testkit';
import { createCreateDomain, createRemoveDomain, createUpdateDomain } from './change-domains.ts';

const caller = buildCaller('ann', ['admin']);
const SALES = { id: 'd', name: 'Sales', description: null, version: 1 } as StoredDomain;
const target = { id: 'd', version: 1 };

/** A store that rejects every change, or makes it. */
function fixture(rejection?: DomainRejection) {
  const records: AuditRecord[] = [];
  const written: unknown[] = [];
  const change = (input: unknown, record: (change: DomainChange) => AuditRecord, states: DomainChange) => {
    written.push(input);
    if (rejection !== undefined) return rejection;
    records.push(record(states));
    return SALES;
  };
  const domains = {
    create: async (_actor, input, record) => change(input, record, { before: null, after: SALES }),
    update: async (_actor, input, record) => change(input, record, { before: SALES, after: { ...SALES, name: 'New' } }),
    remove: async (_actor, input, record) => change(input, record, { before: SALES, after: null }),
  } as Pick<DomainStore, 'create' | 'update' | 'remove'>;
  return {
    records,
    written,
    create: createCreateDomain({ domains }),
    update: createUpdateDomain({ domains }),
    remove: createRemoveDomain({ domains }),
  };
}

describe('a change of a domain', () => {
  it('is recorded with the name that it has afterwards, or had', async () => {
    const { create, update, remove, records } = fixture();
    await create(caller, { name: 'Sales' });
    await update(caller, { target, content: { name: 'New' } });
    await remove(caller, target);
    const sales = { name: 'Sales', description: null };
    expect(records.map(({ action, target: name, metadata }) => [action, name, metadata?.['before']])).toEqual([
      ['CREATE_DOMAIN', 'Sales', null],
      ['UPDATE_DOMAIN', 'New', sales],
      ['DELETE_DOMAIN', 'Sales', sales],
    ]);
  });

  it.each([undefined, null, ''])('stores the description %j as none', async (description) => {
    const { create, written } = fixture();
    await create(caller, { name: 'Sales', description } as never);
    expect(written).toEqual([{ name: 'Sales', description: null }]);
  });

  it.each([
    ['missing', 'not_found'],
    ['other version', 'precondition_failed'],
    ['name taken', 'conflict'],
    ['in use', 'conflict'],
  ] as const)('that the store rejects as "%s" is %s', async (rejection, code) => {
    const { create, update, remove, records } = fixture(rejection);
    await expect(create(caller, { name: 'Sales' })).rejects.toMatchObject({ code });
    await expect(update(caller, { target, content: { name: 'New' } })).rejects.toMatchObject({ code });
    await expect(remove(caller, target)).rejects.toMatchObject({ code });
    expect(records).toEqual([]);
  });
});
