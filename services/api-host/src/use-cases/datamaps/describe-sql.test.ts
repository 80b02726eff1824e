import { describe, expect, it } from '@jest/globals';
import { type AuditRecord, type Permission, parameterDeclarations } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createDescribeSql } from './describe-sql.ts';

const { signal } = new AbortController();

const ITEMS = { catalog: 'shop', schema: 'main', name: 'my.items' };

interface Given {
  readonly auditFails?: Error;
  readonly describeFails?: Error;
  /** Tables that the engine names before it describes. */
  readonly named?: readonly (typeof ITEMS)[] | null;
  /** Tables that it reports while it describes. */
  readonly reported?: readonly (typeof ITEMS)[];
}

function fixture({ auditFails, describeFails, ...given }: Given = { named: [ITEMS] }) {
  const calls: string[] = [];
  const records: AuditRecord[] = [];
  const asked: { readonly parameters: readonly { readonly name: string }[] }[] = [];
  const describeSql = createDescribeSql({
    engines: {
      describe: async (statement) => {
        await statement.onNamed?.(given.named);
        calls.push('describe');
        asked.push(statement as never);
        if (describeFails !== undefined) throw describeFails;
        return { columns: [], tables: [ITEMS], reported: given.reported };
      },
    },
    audit: {
      append: async (record) => {
        calls.push('record');
        if (auditFails !== undefined) throw auditFails;
        records.push(record);
      },
      appendOpen: async (record) => {
        calls.push('open record');
        records.push(record);
        return 'open';
      },
      appendOutcome: async (id, record) => {
        calls.push(`outcome of ${id}`);
        records.push(record);
      },
    },
  });
  const run = (input: object = {}, permissions: readonly Permission[] = ['query:run']) =>
    describeSql(buildCaller('ann', permissions), {
      sql: 'SELECT 1',
      parameters: [],
      target: 'Sales',
      signal,
      ...input,
    });
  return { calls, records, asked, run };
}

describe('SQL of a datamap', () => {
  it('is recorded before the engine describes it', async () => {
    const { calls, records, run } = fixture();
    expect(await run({ datamapId: 'map' })).toEqual({ columns: [], reads: ['shop.main."my.items"'] });
    expect(calls).toEqual(['record', 'describe']);
    expect(records).toMatchObject([
      {
        action: 'DESCRIBE_QUERY',
        target: 'Sales',
        metadata: { sql: 'SELECT 1', datamap_id: 'map', tables_read: ['shop.main."my.items"'] },
      },
    ]);
    expect(records[0]?.metadata).not.toHaveProperty('parameters');
  });

  it('gets a value of the type of each declared parameter', async () => {
    const { asked, records, run } = fixture();
    await run({ parameters: parameterDeclarations.parse([{ name: 'year', type: 'integer' }]) });
    expect(asked[0]?.parameters.map(({ name }) => name)).toEqual(['year']);
    expect(records[0]?.metadata).toHaveProperty('parameters');
    expect(records[0]?.metadata).not.toHaveProperty('datamap_id');
  });

  it('is recorded without tables if the engine rejects it', async () => {
    const { records, run } = fixture({ named: null });
    await run();
    expect(records.map(({ metadata }) => metadata)).toEqual([{ sql: 'SELECT 1', tables_read: null }]);
  });

  it('has the tables in an outcome if the engine finds them while it describes, null if it fails', async () => {
    const { calls, records, run } = fixture({ reported: [ITEMS] });
    await run();
    expect(calls).toEqual(['open record', 'describe', 'outcome of open']);
    expect(records.map(({ metadata }) => metadata)).toEqual([
      { sql: 'SELECT 1' },
      { tables_read: ['shop.main."my.items"'] },
    ]);
    const failed = fixture({ describeFails: new Error('no engine') });
    await expect(failed.run()).rejects.toThrow('no engine');
    expect(failed.records.map(({ metadata }) => metadata)).toEqual([{ sql: 'SELECT 1' }, { tables_read: null }]);
    const silent = fixture({});
    await silent.run();
    expect(silent.records.map(({ metadata }) => metadata)).toEqual([{ sql: 'SELECT 1' }, { tables_read: null }]);
  });

  it('is not described without query:run, or if that cannot be recorded', async () => {
    const denied = fixture();
    await expect(denied.run({}, ['datamap:write'])).rejects.toMatchObject({ code: 'access_denied' });
    expect(denied.calls).toEqual([]);
    const unrecorded = fixture({ auditFails: new Error('no audit'), named: [] });
    await expect(unrecorded.run()).rejects.toThrow('no audit');
    expect(unrecorded.calls).toEqual(['record']);
  });
});
