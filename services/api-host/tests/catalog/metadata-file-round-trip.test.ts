import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDomain, type LoggedIn, logInAs, seedDatamap, seedTable } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import fc from 'fast-check';
import { hostileName, hostileText } from './hostile-metadata.ts';
import { CSV, exportFile, importFile, JSON_TYPE } from './metadata-files.ts';

let test: TestHost;
let steward: LoggedIn;
let domains: string[];
let ids: { readonly type: 'TABLE' | 'VIEW' | 'DATAMAP'; readonly id: string }[];

const COLUMNS = ['a', 'line\nbreak', '"q";', '\\N', 'é 🦆', ' space '];

beforeAll(async () => {
  test = await startTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
  domains = [await createDomain(test, steward, 'One'), await createDomain(test, steward, 'Two')];
  const names = ['plain', 'dot.ted', 'say "hi"', ' space', 'comma,; and\nline'];
  for (const name of names) await seedTable(test, test.acme, { name, columns: COLUMNS });
  await seedTable(test, test.acme, { name: 'seen', type: 'VIEW', columns: COLUMNS });
  const datamap = await seedDatamap(test, test.acme, { ownerId: steward.id, fields: COLUMNS });
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  ids = [
    ...names.map((name) => ({ type: 'TABLE' as const, id: `demo.vega.${quoted(name)}` })),
    { type: 'VIEW', id: 'demo.vega.seen' },
    { type: 'DATAMAP', id: datamap },
  ];
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const tags = fc.array(hostileName, { maxLength: 4 });
const field = fc.record(
  { name: fc.constantFrom(...COLUMNS), description: hostileText, tags },
  { requiredKeys: ['name'] },
);
const values = fc.record(
  {
    description: hostileText,
    tags,
    domains: fc.shuffledSubarray([0, 1]).map((all) => all.map((index) => domains[index] ?? '')),
    fields: fc.uniqueArray(field, { maxLength: 4, selector: ({ name }) => name }),
  },
  { requiredKeys: [] },
);
const metadata = fc.tuple(fc.array(values, { minLength: 7, maxLength: 7 }), hostileName);

const STORED = `
  select f.fact_id, f.description, f.tags, m.display_name,
    array(select d.domain_id::text from fact_domains d where d.fact_id = f.fact_id order by d.position) as domains,
    array(select row(x.name, x.description, x.tags)::text from fact_fields x where x.fact_id = f.fact_id order by x.name) as fields
  from facts f left join datamaps m using (tenant_id, fact_id) order by f.fact_id`;

const CLEARED = [
  'delete from fact_fields',
  'delete from fact_domains',
  `update facts set description = null, tags = '{}'`,
  `update datamaps set display_name = 'cleared'`,
];

describe('an export', () => {
  it.each([
    ['csv', CSV],
    ['json', JSON_TYPE],
  ] as const)(
    'in %s changes nothing when it is imported, and restores everything once it was removed',
    async (format, type) => {
      await fc.assert(
        fc.asyncProperty(metadata, async ([each, displayName]) => {
          for (const statement of CLEARED) await test.rows(statement);
          const objects = ids.map((key, index) => ({
            ...key,
            ...each[index],
            ...(key.type === 'DATAMAP' ? { display_name: displayName } : {}),
          }));
          const set = await importFile(test, steward, JSON.stringify({ metadata_objects: objects }), {
            type: JSON_TYPE,
          });
          expect(set).toMatchObject({ state: 'FINISHED', failure_count: 0 });
          const before = await test.rows(STORED);
          const { text: file } = await exportFile(test, steward, `?format=${format}`);
          const same = await importFile(test, steward, file, { type });
          expect(same).toMatchObject({ state: 'FINISHED', failure_count: 0, changed_count: 0 });
          expect(await test.rows(STORED)).toEqual(before);
          for (const statement of CLEARED) await test.rows(statement);
          expect(await importFile(test, steward, file, { type })).toMatchObject({ failure_count: 0 });
          expect(await test.rows(STORED)).toEqual(before);
          const all = await exportFile(test, steward, `?format=${format}&all=true`);
          expect(await importFile(test, steward, all.text, { type })).toMatchObject({
            ...{ failure_count: 0, changed_count: 0, success_count: ids.length },
          });
        }),
        { numRuns: 15, endOnFailure: true },
      );
    },
    240_000,
  );
});
