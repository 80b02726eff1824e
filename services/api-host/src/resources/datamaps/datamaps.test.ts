import { describe, expect, it } from '@jest/globals';
import { type AuditAction, type Caller, type Column, type DatamapState, ProblemError } from '@sluice/contract';
import type { DatamapContent, DescribedSql, StoredDatamap } from '@sluice/store/datamaps';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { changeDatamapState, createDatamap, type DatamapStep, removeDatamap, updateDatamap } from './datamaps.ts';

const owner = buildCaller('owner', ['datamap:write']);
const other = buildCaller('other', ['datamap:write']);
const admin = buildCaller('admin', ['admin']);
const { signal } = new AbortController();

interface Row {
  readonly state?: DatamapState;
  readonly sql?: string | null;
  readonly version?: number;
}

const storedOf = ({ state = 'DRAFT', sql = 'SELECT 1', version = 3 }: Row = {}): StoredDatamap =>
  ({
    record: {
      id: 'd',
      description: null,
      tags: [],
      datamap: {
        name: 'sales',
        display_name: 'Sales',
        state,
        priority: 'MEDIUM',
        assigned: { sme: null },
        advanced_mode: { sql },
        explanation: '',
        config: { limit: 1000 },
      },
    },
    version,
    ownerId: 'owner',
    stewardId: null,
    sourceId: '',
  }) as unknown as StoredDatamap;

interface Given {
  /** The datamap at the first read. */
  readonly seen?: Row | undefined;
  /** The datamap within the transaction; the same by default. */
  readonly locked?: Row;
  readonly columns?: readonly Column[];
  readonly describeFails?: Error;
  readonly recordFails?: Error;
}

function fixture(given: Given = {}) {
  const seen = 'seen' in given && given.seen === undefined ? undefined : storedOf(given.seen);
  const locked = given.locked === undefined ? seen : storedOf(given.locked);
  const calls: string[] = [];
  const written: { content: DatamapContent; described?: DescribedSql }[] = [];
  const records: object[] = [];
  const write =
    (after: StoredDatamap) =>
    async (_account: unknown, ...input: unknown[]) => {
      calls.push('write');
      written.push(input.at(-1) as (typeof written)[number]);
      return after;
    };
  const tx = {
    datamaps: {
      find: async () => seen,
      findUser: async (email: string) => (email === 'bob@example.com' ? { id: 'bob', name: email } : undefined),
      lock: async () => locked,
      lockToRemove: async () => locked,
      insert: write(storedOf()),
      update: write(storedOf({ version: 4 })),
      remove: async () => void calls.push('write'),
    },
    factChanges: { add: async () => undefined },
    async record(action: AuditAction, target: string, metadata: object) {
      if (given.recordFails !== undefined) throw given.recordFails;
      records.push({ action, target, metadata });
    },
  } as unknown as TenantTransaction;
  const database: Pick<ResourceDatabase, 'change' | 'read'> = {
    change: (_by, work) => work(tx),
    read: (_by, work) => work(tx),
  };
  const describeSql = async (): Promise<DescribedSql> => {
    calls.push('describe');
    if (given.describeFails !== undefined) throw given.describeFails;
    return { columns: given.columns ?? [{ name: 'a', type: 'bigint' }], reads: [] };
  };
  const context = { database, describeSql };
  return {
    calls,
    written,
    records,
    create: (caller: Caller, request: object) =>
      createDatamap(context, caller, { request: { name: 'sales', ...request } as never, signal }),
    update: (caller: Caller, request: object, version?: number) =>
      updateDatamap(context, caller, { target: { id: 'd', version }, request: request as never, signal }),
    step: (caller: Caller, step: DatamapStep) =>
      changeDatamapState(tx, caller, { target: { id: 'd', version: undefined }, step }),
    remove: (caller: Caller) => removeDatamap(tx, caller, { id: 'd', version: undefined }),
  };
}

describe('a new datamap', () => {
  it('is described by the engine first, and written with its columns and a record', async () => {
    const { create, calls, written, records } = fixture();
    await create(owner, { sql: 'SELECT 1 AS a' });
    expect(calls).toEqual(['describe', 'write']);
    expect(written).toMatchObject([
      { content: { sql: 'SELECT 1 AS a', state: 'DRAFT' }, described: { columns: [{ name: 'a' }] } },
    ]);
    expect(records).toMatchObject([{ action: 'CREATE_DATAMAP', target: 'sales', metadata: { before: null } }]);
  });

  it.each<[string, Given, object, string]>([
    [
      'SQL that the engine rejects',
      { describeFails: new ProblemError('syntax_error', 'no') },
      { sql: 'SELEC' },
      'syntax_error',
    ],
    [
      'a column name that PostgreSQL cannot index',
      { columns: [{ name: 'é'.repeat(1_001), type: 'x' }] },
      { sql: 'SELECT 1' },
      'not_supported',
    ],
    ['an unknown steward', {}, { sme: 'eve@example.com' }, 'invalid_request'],
  ])('with %s is not written', async (_name, given, request, code) => {
    const { create, calls } = fixture(given);
    await expect(create(owner, request)).rejects.toMatchObject({ code });
    expect(calls).not.toContain('write');
  });

  it('without SQL needs no engine', async () => {
    const { create, calls } = fixture();
    await create(owner, { sme: 'bob@example.com' });
    expect(calls).toEqual(['write']);
  });
});

describe('an update', () => {
  it('of SQL is described first and sets the state to IN_PROGRESS', async () => {
    const { update, calls, written } = fixture({ seen: { state: 'PUBLISHED' } });
    await update(owner, { sql: 'SELECT 2' });
    expect(calls).toEqual(['describe', 'write']);
    expect(written).toMatchObject([
      { content: { sql: 'SELECT 2', state: 'IN_PROGRESS' }, described: { columns: [{ name: 'a' }] } },
    ]);
  });

  it.each([{ sql: 'SELECT 1' }, { name: 'other' }])(
    'without new SQL needs no engine and keeps the columns: %j',
    async (request) => {
      const { update, calls, written } = fixture({ seen: { state: 'PUBLISHED' } });
      await update(owner, request);
      expect([calls, written[0]?.described, written[0]?.content.state]).toEqual([['write'], undefined, 'PUBLISHED']);
    },
  );

  it.each<[string, Caller, Given, string]>([
    ['another user, of a published datamap', other, { seen: { state: 'PUBLISHED' } }, 'access_denied'],
    ['another user, of a hidden datamap', other, {}, 'not_found'],
    ['its owner, of a removed datamap', owner, { seen: undefined }, 'not_found'],
    ['its owner, of another version', owner, { seen: { version: 4 } }, 'precondition_failed'],
  ])('by %s is rejected before the engine works', async (_name, caller, given, code) => {
    const { update, calls } = fixture(given);
    await expect(update(caller, { sql: 'SELECT 2' }, 3)).rejects.toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  it.each<[string, Given, object]>([
    ['the version changed while the engine worked', { locked: { version: 4 } }, { sql: 'SELECT 2' }],
    [
      'the SQL changed meanwhile, and so ours was never described',
      { locked: { sql: 'SELECT 9' } },
      { sql: 'SELECT 1' },
    ],
  ])('is rejected and changes nothing if %s', async (_name, given, request) => {
    const { update, written } = fixture(given);
    await expect(update(owner, request, 3)).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(written).toEqual([]);
  });

  it('fails if it cannot be recorded', async () => {
    await expect(fixture({ recordFails: new Error('no audit') }).update(owner, { name: 'x' })).rejects.toThrow(
      'no audit',
    );
  });
});

describe('the state of a datamap', () => {
  const STATES = ['DRAFT', 'IN_PROGRESS', 'PUBLISHED', 'ARCHIVED'] as const;
  const ALLOWED: Readonly<Record<DatamapStep | 'remove', readonly DatamapState[]>> = {
    publish: ['DRAFT', 'IN_PROGRESS', 'ARCHIVED'],
    unpublish: ['PUBLISHED'],
    archive: ['DRAFT', 'IN_PROGRESS', 'PUBLISHED'],
    remove: ['DRAFT', 'ARCHIVED'],
  };
  const cases = Object.entries(ALLOWED).flatMap(([step, allowed]) =>
    STATES.map((state) => [step as DatamapStep | 'remove', state, allowed.includes(state)] as const),
  );

  it.each(cases)('%s from %s is allowed: %s', async (step, state, isAllowed) => {
    const { records, ...made } = fixture({ seen: { state } });
    const attempt = step === 'remove' ? made.remove(owner) : made.step(owner, step);
    if (isAllowed) await attempt;
    else await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(records.length).toBe(isAllowed ? 1 : 0);
  });

  it('is not PUBLISHED without SQL', async () => {
    const { step, written } = fixture({ seen: { sql: null } });
    await expect(step(owner, 'publish')).rejects.toMatchObject({ code: 'conflict' });
    expect(written).toEqual([]);
  });

  it('is changed by its owner and admins only', async () => {
    await fixture().step(admin, 'archive');
    for (const attempt of [fixture().step(other, 'archive'), fixture({ seen: { state: 'ARCHIVED' } }).remove(other)])
      await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
  });
});
