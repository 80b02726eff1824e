import type { FactType } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { lexemesOf } from './search-words.ts';

/** Facts that are read and written together. Bounds memory for a harvest of any size. */
const CHUNK = 200;
/** Characters of each string of a fact that are indexed. */
const CHARACTERS_MAX = 200_000;
const SORT_NAME_CHARACTERS_MAX = 255;
/** Numbers and keys are not words that a user mistypes. */
const TYPED_WORD = /^(?=.*\p{L})[\p{L}\p{N}]{3,32}$/u;

interface FactTexts {
  readonly fact_id: string;
  readonly type: FactType;
  readonly owner_id: string | null;
  readonly steward_id: string | null;
  readonly is_public: boolean;
  readonly updated: Date;
  readonly query_count: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly paths: readonly string[];
  readonly summary: string;
  readonly rest: string;
}

const cut = (expression: string): string => `left(coalesce(${expression}, ''), ${CHARACTERS_MAX})`;

const FIELD_TEXTS = `
  select string_agg(concat_ws(' ', f.name, f.description, array_to_string(f.tags, ' ')), ' ')
  from (select * from fact_fields f where f.tenant_id = t.tenant_id and f.fact_id = t.fact_id limit 2000) f`;

const READ = `
  select t.fact_id, t.type, d.owner_id, d.steward_id, coalesce(d.state = 'PUBLISHED', true) as is_public, t.updated,
    coalesce(c.query_count, 0) as query_count, coalesce(d.display_name, k.name) as name,
    array_remove(array[d.name, d.display_name, k.name], null) as names,
    case when k.name is null then '{}'::text[] else array[k.schema_name || '.' || k.name,
      k.catalog_name || '.' || k.schema_name || '.' || k.name] end as paths,
    ${cut(`concat_ws(' ', array_to_string(t.tags, ' '), k.schema_name, k.catalog_name, t.description, k.remarks)`)} as summary,
    ${cut(`concat_ws(' ',
      (select string_agg(x.name, ' ') from (select name from datamap_fields x
         where x.tenant_id = t.tenant_id and x.fact_id = t.fact_id order by position limit 2000) x),
      (select string_agg(concat_ws(' ', x.name, x.remarks), ' ') from (select name, remarks from catalog_columns x
         where x.tenant_id = t.tenant_id and x.fact_id = t.fact_id and x.absent_since is null
         order by position limit 2000) x),
      (${FIELD_TEXTS}), d.explanation, d.sql)`)} as rest
  from facts t
  left join datamaps d on d.tenant_id = t.tenant_id and d.fact_id = t.fact_id
  left join catalog_tables k on k.tenant_id = t.tenant_id and k.fact_id = t.fact_id
  left join fact_counters c on c.tenant_id = t.tenant_id and c.fact_id = t.fact_id
  where t.tenant_id = $1 and t.fact_id = any($2) and (d.fact_id is not null or k.absent_since is null and k.fact_id is not null)
  order by t.fact_id`;

const DELETE_MISSING = `
  delete from search_entries where tenant_id = $1 and fact_id = any($2) and fact_id <> all($3)`;

const WRITE = `
  insert into search_entries as e
    (tenant_id, fact_id, type, owner_id, steward_id, is_public, sort_name, updated, query_count, words, words_version)
  select $1, r.fact_id, r.type, r.owner_id, r.steward_id, r.is_public, r.sort_name, r.updated, r.query_count,
    array_to_tsvector(r.lexemes), 1
  from jsonb_to_recordset($2) r (fact_id uuid, type text, owner_id uuid, steward_id uuid, is_public boolean,
    sort_name text, updated timestamptz, query_count bigint, lexemes text[])
  order by r.fact_id
  on conflict (tenant_id, fact_id) do update set
    type = excluded.type, owner_id = excluded.owner_id, steward_id = excluded.steward_id,
    is_public = excluded.is_public, sort_name = excluded.sort_name, updated = excluded.updated,
    query_count = excluded.query_count, words = excluded.words, words_version = e.words_version + 1`;

/** Inserts words in one order, so that two transactions that add the same words at once cannot deadlock. */
const INSERT_WORDS = `
  insert into search_words (tenant_id, word)
  select $1, w.word from (select distinct unnest($2::text[]) collate "C" as word) w
  where not exists (select from search_words s where s.tenant_id = $1 and s.word = w.word)
  order by w.word
  on conflict do nothing`;

/** Returns the sort key of a name. The column takes 1,020 bytes, the most that 255 characters have. */
const sortNameOf = (name: string): string => [...name.toLowerCase()].slice(0, SORT_NAME_CHARACTERS_MAX).join('');

/**
 * Updates the search entries of these facts. Call it after a change of a fact, or of a row that belongs to it, in the same transaction,
 * while the row of `facts` is locked. Facts that were removed, or are absent from their engine, leave the search.
 */
export async function refreshSearch(
  transaction: Transaction,
  tenantId: string,
  factIds: readonly string[],
): Promise<void> {
  const sorted = [...new Set(factIds)].sort();
  for (let start = 0; start < sorted.length; start += CHUNK) {
    await refreshChunk(transaction, tenantId, sorted.slice(start, start + CHUNK));
  }
}

async function refreshChunk(transaction: Transaction, tenantId: string, factIds: readonly string[]): Promise<void> {
  const found = await transaction.query<FactTexts>(READ, [tenantId, factIds]);
  await transaction.query(DELETE_MISSING, [tenantId, factIds, found.map(({ fact_id }) => fact_id)]);
  const typedWords = new Set<string>();
  const entries = found.map(({ names, paths, summary, rest, name, ...entry }) => {
    const texts = { title: names.join(' '), names, paths, summary, rest };
    const { lexemes, words } = lexemesOf(tenantId, entry.type, texts);
    for (const word of words) if (TYPED_WORD.test(word)) typedWords.add(word);
    return { ...entry, sort_name: sortNameOf(name), lexemes };
  });
  if (entries.length === 0) return;
  await transaction.query(WRITE, [tenantId, JSON.stringify(entries)]);
  await transaction.query(INSERT_WORDS, [tenantId, [...typedWords]]);
}
