import { describe, expect, it } from '@jest/globals';
import { type Configuration, ProblemError } from '@sluice/contract';
import type { StoredDatamap } from '@sluice/store/datamaps';
import { buildCaller } from '@sluice/testkit';
import fc from 'fast-check';
import { createInMemoryContent, storedDatamap } from '../../../../tests/administration/in-memory-content.ts';
import { applyDatamaps } from './apply-datamaps.ts';
import { createConfigurationViolations } from './configuration-violations.ts';

type Entry = NonNullable<Configuration['datamaps']>[number];

const ANN = buildCaller('ann', ['datamap:write']);

/** Applies the datamaps of files to one tenant. `rejected` is SQL that the engine rejects with this problem. */
function fixture(datamaps: readonly StoredDatamap[] = [], rejected: Readonly<Record<string, ProblemError>> = {}) {
  const { rows, tx } = createInMemoryContent({ datamaps: [...datamaps] });
  const described: string[] = [];
  const apply = async (entries: readonly Partial<Entry>[], caller = ANN) => {
    const violations = createConfigurationViolations();
    const { signal } = new AbortController();
    const describeSql = async (_caller: unknown, { sql }: { sql: string }) => {
      described.push(sql);
      if (rejected[sql] !== undefined) throw rejected[sql];
      return { columns: [{ name: 'a', type: 'bigint' }], reads: [] };
    };
    const step = { tx, caller, describeSql, signal, violations };
    const { changes, ids } = await applyDatamaps(step, { datamaps: entries } as Configuration);
    return { changes, ids, violations: violationsOf(violations) };
  };
  return { rows, described, apply };
}

/** Returns the violations as `path: message`. */
function violationsOf(violations: ReturnType<typeof createConfigurationViolations>): readonly string[] {
  try {
    violations.throwIfAny();
    return [];
  } catch (thrown) {
    return ((thrown as ProblemError).details ?? []).map(({ path, message }) => `${path}: ${message}`);
  }
}

const actionsOf = ({ records }: { readonly records: readonly { readonly action: string }[] }) =>
  records.map(({ action }) => action);
const stateOf = (datamap: StoredDatamap | undefined) => datamap?.record.datamap.state;

describe('a datamap of a file that does not exist', () => {
  it('is created as a draft, with its SQL described by the engine', async () => {
    const { apply, rows, described } = fixture();
    const { changes, ids, violations } = await apply([{ name: 'sales', sql: 'SELECT 1', description: 'All sales' }]);
    expect(violations).toEqual([]);
    expect(changes).toMatchObject([{ kind: 'datamap', name: 'sales', action: 'create', before: null }]);
    expect(changes[0]?.after).toMatchObject({ sql: 'SELECT 1', description: 'All sales', state: 'DRAFT' });
    expect([...ids]).toEqual([['sales', 'id of sales']]);
    expect([described, actionsOf(rows)]).toEqual([['SELECT 1'], ['CREATE_DATAMAP']]);
  });

  it('is published if the file says so, and reported once, in its last state', async () => {
    const { apply, rows } = fixture();
    const { changes } = await apply([{ name: 'sales', sql: 'SELECT 1', state: 'PUBLISHED' }]);
    expect(changes).toMatchObject([{ action: 'create', before: null, after: { state: 'PUBLISHED' } }]);
    expect(actionsOf(rows)).toEqual(['CREATE_DATAMAP', 'PUBLISH_DATAMAP']);
  });
});

describe('a datamap of a file that exists', () => {
  it('is found by its name, keeps what the file does not name, and is not described again', async () => {
    const { apply, rows, described } = fixture([storedDatamap({ id: 'd1' }, { description: 'Old', tags: ['eu'] })]);
    const { changes, ids } = await apply([{ name: 'sales', description: 'New' }]);
    expect(changes).toMatchObject([
      {
        action: 'update',
        before: { description: 'Old' },
        after: { description: 'New', tags: ['eu'], sql: 'SELECT 1' },
      },
    ]);
    expect([ids.get('sales'), described, actionsOf(rows)]).toEqual(['d1', [], ['UPDATE_DATAMAP']]);
  });

  it('is found by its id, and then gets the name of the entry', async () => {
    const { apply, rows } = fixture([storedDatamap({ id: 'd1' }), storedDatamap({ id: 'd2' })]);
    const { changes, violations } = await apply([{ id: 'd2', name: 'revenue' }]);
    expect(violations).toEqual([]);
    expect(changes).toMatchObject([{ name: 'revenue', before: { name: 'sales' }, after: { name: 'revenue' } }]);
    expect(rows.datamaps.map(({ record }) => record.datamap.name)).toEqual(['sales', 'revenue']);
  });

  it('is not written if it has the content and the state of the file', async () => {
    const { apply, rows } = fixture([storedDatamap({ id: 'd1' }, { state: 'PUBLISHED' })]);
    const { changes } = await apply([{ name: 'sales', sql: 'SELECT 1', state: 'PUBLISHED' }]);
    expect(changes).toMatchObject([{ action: 'none' }]);
    expect([changes[0]?.before, rows.records]).toEqual([changes[0]?.after, []]);
  });

  it.each([
    ['PUBLISHED', 'PUBLISHED', 'SELECT 2', ['UPDATE_DATAMAP', 'PUBLISH_DATAMAP'], 'PUBLISHED'],
    ['PUBLISHED', undefined, 'SELECT 2', ['UPDATE_DATAMAP'], 'IN_PROGRESS'],
    ['PUBLISHED', 'DRAFT', undefined, ['UNPUBLISH_DATAMAP'], 'IN_PROGRESS'],
    ['ARCHIVED', 'DRAFT', undefined, [], 'ARCHIVED'],
    ['ARCHIVED', 'PUBLISHED', undefined, ['PUBLISH_DATAMAP'], 'PUBLISHED'],
    ['DRAFT', undefined, undefined, [], 'DRAFT'],
  ] as const)(
    'that is %s, with the state %s and the SQL %s in the file, is changed by %j',
    async (state, wanted, sql, actions, after) => {
      const { apply, rows } = fixture([storedDatamap({ id: 'd1' }, { state })]);
      const entry = { name: 'sales', ...(wanted && { state: wanted }), ...(sql && { sql }) };
      const { changes } = await apply([entry]);
      expect([actionsOf(rows), stateOf(rows.datamaps[0])]).toEqual([actions, after]);
      expect(changes[0]?.action).toBe(actions.length === 0 ? 'none' : 'update');
    },
  );

  it('of another user is a mistake, and is not changed', async () => {
    const { apply, rows } = fixture([storedDatamap({ id: 'd1', ownerId: 'bob' }, { state: 'PUBLISHED' })]);
    const { changes, ids, violations } = await apply([{ name: 'sales', description: 'Mine' }]);
    expect([changes, rows.records, ids.get('sales')]).toEqual([[], [], null]);
    expect(violations).toEqual([
      expect.stringMatching(/^body\.datamaps\[0\]: Changing this datamap requires its ownership/),
    ]);
  });
});

describe('mistakes of datamaps', () => {
  const PAIR = [storedDatamap({ id: 'd1' }), storedDatamap({ id: 'd2' })];

  it.each<[string, readonly StoredDatamap[], readonly Partial<Entry>[], readonly string[]]>([
    ['a name of several', PAIR, [{ name: 'sales' }], ['[0].name: there are 2 datamaps sales: give the id of one']],
    ['an unknown id', [], [{ id: 'd9', name: 'sales' }], ['[0].id: there is no datamap d9']],
    [
      'two entries of one datamap',
      [storedDatamap({ id: 'd1' })],
      [{ name: 'sales' }, { id: 'd1', name: 'revenue' }],
      ['[1].name: datamaps[0] is the same datamap'],
    ],
    [
      'publication without SQL',
      [],
      [{ name: 'x', state: 'PUBLISHED' }],
      ['[0].state: a datamap without SQL cannot be published'],
    ],
    [
      'publication of a datamap that has no SQL',
      [storedDatamap({ id: 'd1' }, { sql: null })],
      [{ name: 'sales', state: 'PUBLISHED' }],
      ['[0].state: a datamap without SQL cannot be published'],
    ],
    [
      'removal of the SQL with publication',
      [storedDatamap({ id: 'd1' })],
      [{ name: 'sales', sql: null, state: 'PUBLISHED' }],
      ['[0].state: a datamap without SQL cannot be published'],
    ],
    [
      'a steward who does not exist',
      [],
      [{ name: 'x', sme: 'eve@example.com' }],
      ['[0].sme: is not the e-mail of a user of this tenant'],
    ],
  ])('report %s', async (_name, datamaps, entries, expected) => {
    const { apply } = fixture(datamaps);
    const { violations, ids } = await apply(entries);
    expect(violations).toEqual(expected.map((violation) => `body.datamaps${violation}`));
    expect(ids.get(entries.at(-1)?.name ?? '')).toBeNull();
  });

  it('are reported together with SQL that the engine rejects, and other entries are applied', async () => {
    const syntax = new ProblemError('syntax_error', 'The SQL has an error.');
    const { apply, rows } = fixture([], { 'SELEC 1': syntax });
    const { violations, ids } = await apply([
      { name: 'one', sql: 'SELEC 1' },
      { name: 'two', sql: 'SELECT 2' },
      { name: 'three', state: 'PUBLISHED' },
    ]);
    expect(violations).toEqual([
      'body.datamaps[0]: The SQL has an error.',
      'body.datamaps[2].state: a datamap without SQL cannot be published',
    ]);
    expect([...ids.values()]).toEqual([null, 'id of two', null]);
    expect(rows.datamaps).toHaveLength(1);
  });

  it('do not include an engine that is unavailable: the file may be right', async () => {
    const outage = new ProblemError('engine_unavailable', 'The engine is unavailable.');
    const { apply } = fixture([], { 'SELECT 1': outage });
    await expect(apply([{ name: 'sales', sql: 'SELECT 1' }])).rejects.toBe(outage);
  });
});

describe('a file that is applied twice', () => {
  const entry = fc.record(
    {
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      sql: fc.constantFrom('SELECT 1', 'SELECT 2'),
      description: fc.constantFrom('', 'one', null),
      tags: fc.subarray(['eu', 'us']),
      state: fc.constantFrom('PUBLISHED' as const, 'DRAFT' as const),
      limit: fc.constantFrom(10, 20),
    },
    { requiredKeys: ['name', 'sql'] },
  );

  it('changes nothing the second time, and describes nothing', async () => {
    const entries = fc.uniqueArray(entry, { selector: ({ name }) => name });
    await fc.assert(
      fc.asyncProperty(entries, async (given) => {
        const { apply, rows, described } = fixture([storedDatamap({ id: 'd1' }, { name: 'a', state: 'PUBLISHED' })]);
        const first = await apply(given);
        const written = [rows.records.length, described.length];
        const second = await apply(given);
        expect([first.violations, second.violations]).toEqual([[], []]);
        expect(second.changes.map(({ action }) => action)).toEqual(given.map(() => 'none'));
        expect([rows.records.length, described.length]).toEqual(written);
        expect(second.ids).toEqual(first.ids);
      }),
    );
  });
});
