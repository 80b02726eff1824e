import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auditRecords,
  createDomain,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedDatamap,
  seedTable,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';
import fc from 'fast-check';

interface Change {
  readonly field: string | null;
  readonly property: string;
  readonly before: unknown;
  readonly after: unknown;
}
interface Result {
  readonly fact_id: string;
  readonly success: boolean;
  readonly changes?: readonly Change[];
}

let test: TestHost;
let steward: LoggedIn;
let domains: string[];

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  domains = [await createDomain(test, steward, 'One'), await createDomain(test, steward, 'Two')];
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

describe('a dry run', () => {
  it('reports each property that would change, changes nothing, and is audited', async () => {
    const id = await seedTable(test, test.acme, { name: 'tried', columns: ['a', 'b'] });
    const stands = { description: 'old', tags: ['x'], fields: [{ name: 'a', description: 'a' }] };
    await importMetadata(test, steward, importOf({ type: 'TABLE', id: 'demo.vega.tried', ...stands }));
    const before = await storedMetadata(test, id);
    const answer = await importMetadata(test, steward, {
      ...importOf({
        type: 'TABLE',
        id: 'demo.vega.tried',
        description: null,
        add_tags: ['y', 'X'],
        domains: [domains[1]],
        fields: [
          { name: 'a', description: 'a', tags: ['t'] },
          { name: 'b', description: 'b' },
        ],
      }),
      dry_run: true,
    });
    const changes = [
      { field: null, property: 'description', before: 'old', after: null },
      { field: null, property: 'tags', before: ['x'], after: ['x', 'y'] },
      { field: null, property: 'domains', before: [], after: [domains[1]] },
      { field: 'a', property: 'tags', before: [], after: ['t'] },
      { field: 'b', property: 'description', before: null, after: 'b' },
    ];
    expect(answer.body.metadata_results).toEqual([
      {
        id: 'demo.vega.tried',
        type: 'TABLE',
        fact_id: id,
        success: true,
        fields_processed: true,
        error_message: null,
        changes,
      },
    ]);
    expect(await storedMetadata(test, id)).toEqual(before);
    const records = await auditRecords(test, answer);
    expect(records).toMatchObject([{ action: 'IMPORT_METADATA', metadata: { dry_run: true, objects: [{ changes }] } }]);
  });

  it('returns 404 where the import does', async () => {
    const body = importOf({ type: 'TABLE', id: 'demo.vega.nowhere' });
    const trial = await importMetadata(test, steward, { ...body, dry_run: true });
    expect([trial.status, trial.body.metadata_results[0].changes]).toEqual([404, []]);
  });
});

const tag = fc.constantFrom('pii', 'PII', 'raw', 'Raw', 'a', 'b', ' c ');
const tags = fc.array(tag, { maxLength: 4 });
const description = fc.constantFrom(null, '', 'one', 'two');

const tagChange = fc.oneof(fc.record({ tags }), fc.record({ add_tags: tags, remove_tags: tags }, { requiredKeys: [] }));

/** Metadata that a table, its columns and a datamap have, and metadata that they lack. */
const objectOf = (ids: { table: string; datamap: string }) => {
  const domain = fc.constantFrom(...domains, randomUUID());
  const list = fc.array(domain, { maxLength: 2 });
  const domainChange = fc.oneof(
    fc.record({ domains: list }),
    fc.record({ add_domains: list, remove_domains: list }, { requiredKeys: [] }),
  );
  const field = fc
    .tuple(fc.constantFrom('f1', 'f2', 'f3', 'none'), fc.record({ description }, { requiredKeys: [] }), tagChange)
    .map(([name, described, tagged]) => ({ name, ...described, ...tagged }));
  const fields = fc.uniqueArray(field, { maxLength: 3, selector: ({ name }) => name });
  const own = fc.record({ description, fields }, { requiredKeys: [] });
  const target = fc.oneof(
    fc.constantFrom({ type: 'TABLE', id: ids.table }, { type: 'VIEW', id: ids.table }),
    fc.record({ type: fc.constant('DATAMAP'), id: fc.constant(ids.datamap), display_name: fc.constantFrom('A', 'B') }),
  );
  return fc.tuple(target, own, tagChange, domainChange).map((parts) => Object.assign({}, ...parts) as object);
};

describe('an import and its dry run', () => {
  it('agree on every result and change', async () => {
    const datamap = await seedDatamap(test, test.acme, { ownerId: steward.id, fields: ['f1', 'f2', 'f3'] });
    const table = await seedTable(test, test.acme, { name: 'modelled', columns: ['f1', 'f2', 'f3'] });
    const objects = objectOf({ table: 'demo.vega.modelled', datamap });
    await fc.assert(
      fc.asyncProperty(fc.array(objects, { minLength: 1, maxLength: 5 }), async (batch) => {
        const before = new Map([
          [table, await storedMetadata(test, table)],
          [datamap, await storedMetadata(test, datamap)],
        ]);
        const trial = await importMetadata(test, steward, { ...importOf(...batch), dry_run: true });
        for (const [id, stored] of before) expect(await storedMetadata(test, id)).toEqual(stored);
        const done = await importMetadata(test, steward, importOf(...batch));
        const { metadata_results: tried, request_id: _trial, ...triedCounts } = trial.body;
        const { metadata_results: results, request_id: _done, ...counts } = done.body;
        expect([trial.status, triedCounts]).toEqual([done.status, counts]);
        expect(tried.map(({ changes: _changes, ...result }: Result) => result)).toEqual(results);
        for (const [id, stored] of before) {
          const changes = (tried as Result[])
            .filter((each) => each.fact_id === id)
            .flatMap((each) => each.changes ?? []);
          expect(await storedMetadata(test, id)).toMatchObject(withChanges(stored, changes));
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 240_000);
});

type Stored = Awaited<ReturnType<typeof storedMetadata>>;

/** State after the changes; each change must start from its declared state. */
function withChanges(stored: Stored, changes: readonly Change[]): Partial<Stored> {
  const own: Record<string, unknown> = { ...stored };
  const fields = new Map(stored.fields.map((field) => [field.name, { ...field } as Record<string, unknown>]));
  for (const { field, property, before, after } of changes) {
    const target = field === null ? own : (fields.get(field) ?? { name: field, description: null, tags: [] });
    expect(target[property]).toEqual(before);
    target[property] = after;
    if (field !== null) fields.set(field, target);
  }
  const said = [...fields.values()].filter(
    (field) => field['description'] !== null || (field['tags'] as []).length > 0,
  );
  const { version: _version, updated_by: _user, ...rest } = own as unknown as Stored;
  return {
    ...rest,
    fields: said.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)) as unknown as Stored['fields'],
  };
}
