/** Tenant, owner and size of a generated catalog. */
interface CatalogOptions {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly entries: number;
}

/** Returns the prefix of a lexeme: the first bytes of the tenant, the type and the kind, as in `search-words.ts` of the store. */
export const markOf = (tenantId: string, tier: '0' | '1' | '2' | '3' | '4'): string =>
  `${Buffer.from(tenantId.replaceAll('-', '').slice(0, 6), 'hex').toString('base64url')}D${tier}`;

const SYLLABLES = [...'bdfgklmnprstvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));

/** Number of different words. */
const VOCABULARY = 40_000;
/** Makes the first few hundred words common and the last ones rare. */
const SKEW_EXPONENT = 3;
/** Entries consist of phrases: choosing thirty words for a million entries one by one would take longer than everything else. */
const PHRASE_WORDS = 7;

/** Entries per thousand with the common word: 65,000 of a million. */
const COMMON_SHARE = 65;
export const COMMON_WORD = 'flights';
/** Prefix of the most common word and of many others: three of four entries contain a word that starts with it. */
export const COMMON_PREFIX = 'ba';
export const SECOND_COMMON_WORD = 'airports';
/** Occurs in one of 100,000 entries. */
export const RARE_WORD = 'zanzibar';

/**
 * Returns the statements that create the catalog, for the owner of the tables. Triggers are disabled meanwhile, so no changes are
 * recorded. The same options always create the same catalog.
 */
export function catalogStatements({ tenantId, ownerId, entries }: CatalogOptions): string[] {
  const phrase = (n: number) => `join bench_phrases p${n} on p${n}.p = hashint8extended(i, ${n}) & 65535`;
  const extra = (word: string, condition: string) => (mark: string) =>
    ` || case when ${condition} then array['${mark}${word}'] else '{}' end`;
  const inTitle = extra(COMMON_WORD, '(i % 1000) < 5');
  const inSummary = extra(COMMON_WORD, '(i % 1000) between 5 and 24');
  const second = extra(SECOND_COMMON_WORD, `(i * 7919 % 1000) < ${COMMON_SHARE}`);
  const inRest = extra(COMMON_WORD, `(i % 1000) between 25 and ${COMMON_SHARE - 1}`);
  const rare = extra(RARE_WORD, 'i % 100000 = 64');
  const [all, title, summary] = [markOf(tenantId, '0'), markOf(tenantId, '1'), markOf(tenantId, '2')];
  const [part, name] = [markOf(tenantId, '3'), markOf(tenantId, '4')];
  const titleOf = (words: string, mark: string) => `p1.${words}[1:3]${inTitle(mark)}`;
  const summaryOf = (words: string, mark: string) => `p2.${words} || p3.${words}[1:3]${inSummary(mark)}${second(mark)}`;
  const restOf = (words: string, mark: string) => `p4.${words} || p5.${words}${inRest(mark)}${rare(mark)}`;
  return [
    'drop table if exists bench_texts, bench_phrases, bench_words',
    `create or replace function bench_random(n bigint) returns double precision language sql immutable
       as $$ select abs(hashint8extended(n, 7205)) / 9223372036854775807.0 $$`,
    `create unlogged table bench_words as select
       n, s[n % 70 + 1] || s[n / 70 % 70 + 1] || s[n / 4900 % 70 + 1] || case when n % 3 = 0 then 'n' else '' end as word
       from generate_series(0, ${VOCABULARY - 1}) n, (values (array['${SYLLABLES.join("','")}'])) v (s)`,
    `create unlogged table bench_phrases as select p, array_agg(word) as words, array_agg('${all}' || word) as all_words,
         array_agg('${title}' || word) as title_words, array_agg('${summary}' || word) as summary_words
       from generate_series(0, 65535) p cross join generate_series(1, ${PHRASE_WORDS}) k
       join bench_words on n = floor(${VOCABULARY} * power(bench_random(p * 8 + k), ${SKEW_EXPONENT}))::integer
       group by p`,
    'analyze bench_phrases',
    `create unlogged table bench_texts as select
       (lpad(to_hex(hashint8extended(i, 9) & 4294967295), 8, '0') || '-' || lpad(to_hex(i & 65535), 4, '0') || '-4000-8000-'
         || lpad(to_hex(i), 12, '0'))::uuid as fact_id,
       ${titleOf('words', '')} as title, ${summaryOf('words', '')} as summary, ${restOf('words', '')} as rest,
       ${titleOf('title_words', title)}
         || ${titleOf('summary_words', summary)} || ${summaryOf('summary_words', summary)}
         || ${titleOf('all_words', all)} || ${summaryOf('all_words', all)} || ${restOf('all_words', all)}
         || array(select '${part}' || right(w, n) from unnest(${titleOf('words', '')}) w, generate_series(3, length(w)) n)
         || array['${name}' || array_to_string(${titleOf('words', '')}, '_'), '${name}' || array_to_string(${titleOf('words', '')}, ' ')]
         as lexemes,
       i % 33 <> 0 as is_public, floor(power(bench_random(i), 8) * 10000)::bigint as query_count,
       timestamptz '2025-01-01' + make_interval(secs => (hashint8extended(i, 7) & 33554431)::integer) as updated
     from generate_series(1::bigint, ${entries}) i ${[1, 2, 3, 4, 5].map(phrase).join(' ')}`,
    `insert into facts (tenant_id, fact_id, type, description, tags, created, updated)
       select '${tenantId}', fact_id, 'DATAMAP', array_to_string(summary, ' '), summary[1:2], updated, updated from bench_texts`,
    `insert into datamaps
         (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, created_by, sql)
       select '${tenantId}', fact_id, array_to_string(title, '_'), array_to_string(title, ' '),
         case when is_public then 'PUBLISHED' else 'DRAFT' end, 'user', '${ownerId}', 'bench', 'bench',
         'select ' || array_to_string(rest, ', ') || ' from t' from bench_texts`,
    `insert into fact_counters (tenant_id, fact_id, query_count) select '${tenantId}', fact_id, query_count from bench_texts`,
    'alter table search_entries disable trigger user',
    'drop index if exists search_entries_words',
    `insert into search_entries
         (tenant_id, fact_id, type, owner_id, is_public, sort_name, updated, query_count, words, words_version)
       select '${tenantId}', fact_id, 'DATAMAP', '${ownerId}', is_public, array_to_string(title, ' '), updated, query_count,
         array_to_tsvector(lexemes), 1 from bench_texts`,
    "set maintenance_work_mem = '512MB'",
    'create index search_entries_words on search_entries using gin (words) with (fastupdate = off)',
    `insert into search_words (tenant_id, word)
       select distinct '${tenantId}'::uuid, w
       from (select word as w from bench_words
             union all values ('${COMMON_WORD}'), ('${SECOND_COMMON_WORD}'), ('${RARE_WORD}')) v`,
    'alter table search_entries enable trigger user',
    'drop table bench_texts, bench_phrases, bench_words',
    'vacuum analyze facts, datamaps, fact_counters, search_entries, search_words',
  ];
}
