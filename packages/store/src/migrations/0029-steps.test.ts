import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { caselessKey } from '@sluice/contract';
import { createEmptyDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createMarketplaceStore } from '../marketplace/marketplace-store.ts';
import { migrate } from '../schema/migrate.ts';
import { createSearchStore } from '../search/search-store.ts';
import { markOf, type Tier } from '../search/search-words.ts';
import { removedPermissionStep } from './0029-a-removed-permission.ts';
import { searchFoldingStep } from './0029-search-folding.ts';

const READER = { kind: 'user', name: 'reader@acme.example', roles: [] } as const;
const NOTHING = { label: 'test', columns: 'null as nothing', joins: '' };
/** More than one batch of entries. */
const ENTRIES = 450;

let test: TestDatabase;
let owner: Database;
let api: Database;
let tenantId: string;
beforeAll(async () => {
  test = await createEmptyDatabase();
  owner = createDatabase({ url: test.ownerUrl, queryTimeoutMs: 60_000 });
  await migrate(settings());
  api = createDatabase({ url: test.apiUrl });
  tenantId = (await createTenantStore(api).create({ name: 'acme' })).id;
}, 120_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await owner[Symbol.asyncDispose]();
  await test.dispose();
});

const settings = () => ({ ownerUrl: test.ownerUrl, apiRole: test.apiRole, streamRole: test.streamRole });
const query = <R extends object>(sql: string, values: unknown[] = []): Promise<R[]> =>
  owner.withoutTenant((transaction) => transaction.query<R>(sql, values));

/** Writes entries with words in lower case and not folded, as a host of the previous version does. */
const writeUnfolded = async (words: readonly string[]): Promise<void> => {
  const tiers: readonly Tier[] = ['title', 'summary', 'all'];
  const entries = words.map((word) => ({
    id: randomUUID(),
    lexemes: tiers.map((tier) => markOf(tenantId, 'DATAMAP', tier) + word),
  }));
  const rows = JSON.stringify(entries);
  await query(
    `insert into facts (tenant_id, fact_id, type) select $1, id, 'DATAMAP' from jsonb_to_recordset($2) r (id uuid)`,
    [tenantId, rows],
  );
  await query(
    `insert into search_entries (tenant_id, fact_id, type, is_public, sort_name, updated, words)
     select $1, id, 'DATAMAP', true, 'x', now(), array_to_tsvector(lexemes)
     from jsonb_to_recordset($2) r (id uuid, lexemes text[])`,
    [tenantId, rows],
  );
};

const searchStore = () =>
  createSearchStore({ database: api, counting: api }, { DATAMAP: NOTHING, TABLE: NOTHING, VIEW: NOTHING });
const totalOf = async (question: string): Promise<number> => {
  const search = { tenantId, type: 'DATAMAP', account: null, searchText: question, sort: 'relevance' } as const;
  return (await searchStore().search({ ...search, isDescending: true, from: 0, size: 1 })).total;
};

it('folds lower-case text in the database as the hosts fold it', async () => {
  const characters = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint > 0 && (codePoint < 0xd800 || codePoint > 0xdfff))
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter(
      (character) =>
        character.toLowerCase() === character && !/[\p{C}\p{Script=Han}\p{Script=Hangul}]/u.test(character),
    );
  const rows = await query<{ character: string; folded: string }>(
    `select c as character, normalize(search_fold(normalize(c, NFD)), NFC) as folded from unnest($1::text[]) c`,
    [characters],
  );
  expect(rows).toHaveLength(characters.length);
  expect(rows.filter(({ character, folded }) => folded !== caselessKey(character))).toEqual([]);
});

describe('entries of the previous version', () => {
  it('are found by folded words, at once for a host that still runs, and counted exactly meanwhile', async () => {
    await query(
      `drop trigger search_entries_fold on search_entries;
       drop function fold_search_words(), fold_search_entries();
       drop table search_folding;
       drop function search_fold(text);
       delete from knex_migrations where name = '${searchFoldingStep.name}'`,
    );
    await writeUnfolded(Array.from({ length: ENTRIES }, (_, index) => (index % 2 === 0 ? 'große' : 'klein')));
    await query(`insert into search_words (tenant_id, word) values ($1, 'große')`, [tenantId]);
    await query(
      `insert into marketplace_items (tenant_id, item_id, title, owner_kind, owner_id, owner_name, search, updated_by)
       values ($1, 'item', 'Größe', 'user', $2, 'o', 'größe', 'o')`,
      [tenantId, randomUUID()],
    );
    await migrate(settings());
    await searchStore().search({
      tenantId,
      type: 'DATAMAP',
      account: null,
      searchText: 'große klein',
      sort: 'relevance',
      isDescending: true,
      from: 0,
      size: 1,
    });
    expect(await totalOf('klein')).toBe(ENTRIES / 2);
    expect(await totalOf('grosse')).toBe(0);
    await writeUnfolded(['große']);
    expect(await totalOf('grosse')).toBe(1);

    await Promise.all([searchStore().foldEntries(), searchStore().foldEntries()]);
    await searchStore().foldEntries();
    expect(await query('select is_done from search_folding')).toEqual([{ is_done: true }]);
    expect([await totalOf('Große'), await totalOf('klein')]).toEqual([ENTRIES / 2 + 1, ENTRIES / 2]);
    expect(await totalOf('grose')).toBe(ENTRIES / 2 + 1);
    const [{ unfolded } = { unfolded: undefined }] = await query<{ unfolded: string }>(
      `select count(*) as unfolded from search_entries where words::text like '%große%'`,
    );
    expect(Number(unfolded)).toBe(ENTRIES / 2 + 1);
    const found = await createMarketplaceStore(api).list(tenantId, READER, { words: ['grösse'], from: 0, size: 1 });
    expect(found.items.map(({ title }) => title)).toEqual(['Größe']);
  });
});

it('removes the removed permission from roles, and counts that as a change', async () => {
  await query(
    `insert into roles (tenant_id, name, permissions) values ($1, 'writer', '{query:run,query:write}'), ($1, 'reader', '{query:run}')`,
    [tenantId],
  );
  await query(`delete from knex_migrations where name = '${removedPermissionStep.name}'`);
  await migrate(settings());
  expect(
    await query(
      `select name, permissions, version from roles where name in ('reader', 'writer') and tenant_id = $1 order by 1`,
      [tenantId],
    ),
  ).toEqual([
    { name: 'reader', permissions: ['query:run'], version: '1' },
    { name: 'writer', permissions: ['query:run'], version: '2' },
  ]);
});
