import { describe, expect, it } from '@jest/globals';
import type { Configuration, ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import {
  createInMemoryContent,
  storedDatamap,
  storedItem,
} from '../../../../tests/administration/in-memory-content.ts';
import { applyItems } from './apply-items.ts';
import { createConfigurationViolations } from './configuration-violations.ts';

type Entry = NonNullable<Configuration['marketplace_items']>[number];

const ANN = buildCaller('ann', ['datamap:write']);
const PUBLISHED = storedDatamap({ id: 'd1' }, { state: 'PUBLISHED' });
const SALES: Entry = { id: 'sales', title: 'Sales', queries: [{ name: 'all', datamap: 'sales' }] };

/** Applies the items of files to one tenant with a published datamap `sales`. `idsInFile` are the ids of datamaps of the file. */
function fixture(initial: Parameters<typeof createInMemoryContent>[0] = {}) {
  const { rows, tx } = createInMemoryContent({
    datamaps: [PUBLISHED],
    domains: [{ id: 'o1', name: 'Finance' }],
    roles: ['analyst'],
    ...initial,
  });
  const apply = async (
    entries: readonly Entry[],
    {
      idsInFile = {},
      caller = ANN,
      ...file
    }: Partial<Configuration> & { idsInFile?: Record<string, string | null>; caller?: typeof ANN } = {},
  ) => {
    const violations = createConfigurationViolations();
    const describeSql = () => Promise.reject(new TypeError('items have no SQL'));
    const step = { tx, caller, describeSql, signal: new AbortController().signal, violations };
    const wanted = { ...file, marketplace_items: [...entries] };
    const changes = await applyItems(step, wanted, new Map(Object.entries(idsInFile)));
    return { changes, violations: violationsOf(violations) };
  };
  return { rows, apply };
}

/** Returns the violations as `path: message`, without the path of the section. */
function violationsOf(violations: ReturnType<typeof createConfigurationViolations>): readonly string[] {
  try {
    violations.throwIfAny();
    return [];
  } catch (thrown) {
    const details = (thrown as ProblemError).details ?? [];
    return details.map(({ path, message }) => `${path.replace('body.marketplace_items', '')}: ${message}`);
  }
}

const actionsOf = ({ records }: { readonly records: readonly { readonly action: string }[] }) =>
  records.map(({ action }) => action);

describe('an item of a file that does not exist', () => {
  it('is created with the ids of the datamaps and domains that the file names, and belongs to the caller', async () => {
    const { apply, rows } = fixture();
    const { changes, violations } = await apply([{ ...SALES, domains: ['finance'], tags: ['eu'] }]);
    expect(violations).toEqual([]);
    expect(changes).toMatchObject([{ kind: 'marketplace_item', name: 'sales', action: 'create', before: null }]);
    expect(changes[0]?.after).toEqual({
      ...{ title: 'Sales', description: null, tags: ['eu'], domains: ['o1'], owner: 'ann@example.com' },
      ...{ license: null, terms_of_use: null },
      queries: [{ name: 'all', datamap_id: 'd1' }],
    });
    expect(actionsOf(rows)).toEqual(['CREATE_MARKETPLACE_ITEM']);
  });

  it('uses a datamap of the file before a stored one of the same name, and takes an id for a name', async () => {
    const inFile = storedDatamap({ id: 'd2' }, { name: 'new', state: 'PUBLISHED' });
    const { apply } = fixture({ datamaps: [PUBLISHED, inFile] });
    const queries = [
      { name: 'one', datamap: 'sales' },
      { name: 'two', datamap: 'd1' },
    ];
    const { changes } = await apply([{ ...SALES, queries }], { idsInFile: { sales: 'd2' } });
    expect(changes[0]?.after).toMatchObject({ queries: [{ datamap_id: 'd2' }, { datamap_id: 'd1' }] });
  });

  it('finds its owner in any case', async () => {
    const { changes } = await fixture().apply([{ ...SALES, owner: 'ANN@example.com' }]);
    expect(changes[0]?.after).toMatchObject({ owner: 'ann@example.com' });
  });
});

describe('an item of a file that exists', () => {
  const STORED = storedItem('sales', { description: 'Old', tags: ['eu'], domains: ['o1'] });

  it('keeps what the file does not name, and loses a description that is empty there', async () => {
    const { apply, rows } = fixture({ items: [STORED] });
    const { changes } = await apply([{ ...SALES, title: 'Revenue', description: '' }]);
    expect(changes).toMatchObject([
      {
        action: 'update',
        before: { title: 'Sales', description: 'Old' },
        after: { title: 'Revenue', description: null },
      },
    ]);
    expect(rows.items[0]).toMatchObject({ version: 2, tags: ['eu'], domains: ['o1'] });
  });

  it('keeps license and terms of use that the file does not name, and loses those that are empty there', async () => {
    const { apply, rows } = fixture({ items: [{ ...STORED, license: 'MIT', termsOfUse: 'Ask.' }] });
    await apply([{ ...SALES, title: 'Revenue' }]);
    expect(rows.items[0]).toMatchObject({ license: 'MIT', termsOfUse: 'Ask.' });
    const { changes } = await apply([{ ...SALES, license: '', terms_of_use: null }]);
    expect(changes[0]?.after).toMatchObject({ license: null, terms_of_use: null });
    expect(rows.items[0]).toMatchObject({ license: null, termsOfUse: null });
  });

  it('is not written if it has the content of the file', async () => {
    const { apply, rows } = fixture({ items: [STORED] });
    const entry = { ...SALES, description: 'Old', tags: ['eu'], domains: ['Finance'], owner: 'Ann@Example.com' };
    for (const file of [SALES, entry]) {
      const { changes, violations } = await apply([file]);
      expect([violations, changes.map(({ action }) => action), rows.records]).toEqual([[], ['none'], []]);
    }
  });

  it('keeps an owner whose account no longer exists, unless the file names one', async () => {
    const gone = { kind: 'user', id: 'ann', name: 'gone@example.com' } as const;
    const { apply, rows } = fixture({ items: [{ ...STORED, owner: gone }] });
    await apply([{ ...SALES, title: 'Revenue' }]);
    expect(rows.items[0]?.owner).toEqual(gone);
    expect((await apply([{ ...SALES, owner: 'gone@example.com' }])).violations).toEqual([
      '[0].owner: there is no user or client gone@example.com',
    ]);
  });

  it('of another user is a mistake, and is not changed', async () => {
    const { apply, rows } = fixture({ items: [STORED] });
    const caller = buildCaller('bob', ['datamap:write']);
    const { changes, violations } = await apply([{ ...SALES, title: 'Mine' }], { caller });
    expect([changes, violations]).toEqual([[], ['[0]: Only the owner of this item and admins may do this.']]);
    expect(rows.items).toEqual([STORED]);
  });
});

describe('mistakes of items', () => {
  it('report every reference that does not exist, each with its place', async () => {
    const { apply, rows } = fixture({
      datamaps: [PUBLISHED, storedDatamap({ id: 'd2' }, { name: 'two' }), storedDatamap({ id: 'd3' }, { name: 'two' })],
    });
    const queries = [
      { name: 'a', datamap: 'sales' },
      { name: 'b', datamap: 'missing' },
      { name: 'c', datamap: 'two' },
    ];
    const { changes, violations } = await apply([
      { ...SALES, queries, domains: ['Finance', 'Law'], owner: 'eve@example.com' },
    ]);
    expect(violations).toEqual([
      '[0].queries[1].datamap: there is no datamap missing',
      '[0].queries[2].datamap: there are 2 datamaps two: give the id of one',
      '[0].domains[1]: there is no domain Law',
      '[0].owner: there is no user or client eve@example.com',
    ]);
    expect([changes, rows.items]).toEqual([[], []]);
  });

  it('report a datamap that is not published', async () => {
    const { apply } = fixture({ datamaps: [PUBLISHED, storedDatamap({ id: 'd2' }, { name: 'draft' })] });
    const queries = [...SALES.queries, { name: 'b', datamap: 'draft' }];
    expect((await apply([{ ...SALES, queries }])).violations).toEqual([
      '[0].queries[1].datamap: the datamap draft is not published',
    ]);
  });

  it('do not repeat the mistake of a datamap of the file', async () => {
    const { apply, rows } = fixture();
    const { changes, violations } = await apply([SALES], { idsInFile: { sales: null } });
    expect([changes, violations, rows.items]).toEqual([[], [], []]);
  });

  it('do not keep other items from being applied', async () => {
    const { changes, violations } = await fixture().apply([
      { ...SALES, domains: ['Law'] },
      { ...SALES, id: 'other' },
    ]);
    expect([changes.map(({ name }) => name), violations]).toEqual([
      ['other'],
      ['[0].domains[0]: there is no domain Law'],
    ]);
  });
});

describe('grants of an item', () => {
  const ROLE = { kind: 'role', name: 'analyst' } as const;
  const USER = { kind: 'user', name: 'Ann@Example.com' } as const;
  const STORED_ROLE = { ...ROLE, expires_ts: null };

  it('are created with a new item', async () => {
    const { apply, rows } = fixture();
    const { changes } = await apply([{ ...SALES, grants: [USER, ROLE] }]);
    expect(changes).toMatchObject([
      { kind: 'marketplace_item', action: 'create' },
      { kind: 'marketplace_grants', name: 'sales', action: 'create', before: null },
    ]);
    expect(rows.grants['sales']).toEqual([{ kind: 'user', name: 'ann@example.com', expires_ts: null }, STORED_ROLE]);
  });

  it('replace those of a stored item, in any order, and only if they differ', async () => {
    const { apply, rows } = fixture({ items: [storedItem('sales')], grants: { sales: [STORED_ROLE] } });
    const first = await apply([{ ...SALES, grants: [USER, ROLE] }]);
    expect(first.changes.map(({ kind, action }) => `${action} ${kind}`)).toEqual([
      'none marketplace_item',
      'update marketplace_grants',
    ]);
    const second = await apply([{ ...SALES, grants: [ROLE, USER] }]);
    expect(second.changes.map(({ action }) => action)).toEqual(['none', 'none']);
    expect(actionsOf(rows)).toEqual(['GRANT_MARKETPLACE_ITEM']);
  });

  it('are kept if the file has none, and removed if its list is empty', async () => {
    const { apply, rows } = fixture({ items: [storedItem('sales')], grants: { sales: [STORED_ROLE] } });
    expect((await apply([SALES])).changes).toHaveLength(1);
    expect(rows.grants['sales']).toEqual([STORED_ROLE]);
    await apply([{ ...SALES, grants: [] }]);
    expect(rows.grants['sales']).toEqual([]);
  });

  it('to a grantee that does not exist are a mistake, unless the file creates the grantee', async () => {
    const grants = [{ kind: 'role', name: 'new' } as const, { kind: 'client', name: 'etl' } as const];
    const { apply, rows } = fixture();
    const { violations } = await apply([{ ...SALES, grants }], { roles: [{ name: 'new', permissions: [] }] });
    expect([violations, rows.grants]).toEqual([['[0].grants[1]: there is no client etl'], {}]);
  });

  it('that expire in the past are a mistake, unless they are stored with that time', async () => {
    const past = { ...ROLE, expires_ts: 1 };
    const { apply } = fixture({ items: [storedItem('sales')] });
    expect((await apply([{ ...SALES, grants: [past] }])).violations).toEqual([
      expect.stringMatching(/^\[0\]\.grants\[0\]\.expires_ts: /),
    ]);
    const kept = fixture({ items: [storedItem('sales')], grants: { sales: [past] } });
    expect((await kept.apply([{ ...SALES, grants: [past] }])).violations).toEqual([]);
  });

  it('are not set for an item that has a mistake', async () => {
    const { apply, rows } = fixture();
    const { changes } = await apply([{ ...SALES, domains: ['Law'], grants: [ROLE] }]);
    expect([changes, rows.grants]).toEqual([[], {}]);
  });
});
