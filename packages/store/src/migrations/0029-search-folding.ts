import type { SchemaStep } from './migration.ts';

/** Lower-case letters of decomposed text that case folding maps to one other letter, and those other letters. */
const LETTERS = 'µſ\u0345ςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ\u1fbe';
const FOLDED_LETTERS = 'μsισβθφπκρεвдосттъѣꙋṡι';
/** Lower-case letters that case folding maps to several. */
const EXPANSIONS = {
  ß: 'ss',
  ŉ: 'ʼn',
  ẚ: 'aʾ',
  և: 'եւ',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
  ﬓ: 'մն',
  ﬔ: 'մե',
  ﬕ: 'մի',
  ﬖ: 'վն',
  ﬗ: 'մխ',
};
const UNFOLDED = `[${LETTERS}${Object.keys(EXPANSIONS).join('')}]`;

const expanded = (text: string): string =>
  Object.entries(EXPANSIONS).reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, text);

/** Prefix and 60 characters of a word, as `search-words.ts` writes them. */
const LEXEME_CHARACTERS_MAX = 66;
const BATCH = 200;

/**
 * Case folding of search words that were only in lower case. Hosts of this version fold words and queries, and also find what other hosts
 * wrote.
 *
 * An entry keeps its unfolded lexemes together with the folded ones, so that hosts of the previous version find it as well. A trigger folds
 * the entries that those hosts write. `fold_search_entries` folds older entries in batches; a host calls it until it returns `done`. A
 * single statement would lock every entry that it changes until the last one is changed. Each change is recorded for the kept counts like
 * any other.
 */
export const searchFoldingStep: SchemaStep = {
  name: '0029-search-folding',
  sql: `
    create function search_fold(lower_case text) returns text language sql immutable parallel safe as $body$
      select ${expanded(`translate(lower_case, '${LETTERS}', '${FOLDED_LETTERS}')`)}
    $body$;

    create function fold_search_words() returns trigger language plpgsql as $body$
    begin
      if new.words::text ~ '${UNFOLDED}' then
        new.words := new.words || array_to_tsvector(array(
          select distinct left(search_fold(lexeme), ${LEXEME_CHARACTERS_MAX})
          from unnest(tsvector_to_array(new.words)) lexeme where lexeme ~ '${UNFOLDED}'));
      end if;
      return new;
    end $body$;
    create trigger search_entries_fold before insert or update of words on search_entries
      for each row execute function fold_search_words();

    insert into search_words (tenant_id, word)
      select distinct tenant_id, search_fold(word) from search_words where word ~ '${UNFOLDED}' order by 1, 2
      on conflict do nothing;

    -- Progress of folding the entries of previous versions, by their primary key.
    create table search_folding (
      only_row boolean primary key default true check (only_row),
      last_tenant uuid not null default '00000000-0000-0000-0000-000000000000',
      last_fact uuid not null default '00000000-0000-0000-0000-000000000000',
      is_done boolean not null default false
    );
    insert into search_folding default values;

    create function fold_search_entries() returns text
      language plpgsql security definer set search_path = pg_catalog, public as $body$
    declare
      reached search_folding;
      batch uuid[];
      batch_tenant uuid;
      batch_fact uuid;
    begin
      select * into reached from search_folding for update skip locked;
      if not found then return 'busy'; end if;
      if reached.is_done then return 'done'; end if;
      select array_agg(e.fact_id) filter (where e.words::text ~ '${UNFOLDED}'),
          (array_agg(e.tenant_id order by e.tenant_id desc, e.fact_id desc))[1],
          (array_agg(e.fact_id order by e.tenant_id desc, e.fact_id desc))[1]
        into batch, batch_tenant, batch_fact
        from (
          select * from search_entries s
          where (s.tenant_id, s.fact_id) > (reached.last_tenant, reached.last_fact)
          order by s.tenant_id, s.fact_id limit ${BATCH}) e;
      if batch_fact is null then
        update search_folding set is_done = true;
        return 'done';
      end if;
      -- In the order in which writers lock entries.
      perform from search_entries e
        where (e.tenant_id, e.fact_id) > (reached.last_tenant, reached.last_fact)
          and (e.tenant_id, e.fact_id) <= (batch_tenant, batch_fact) and e.fact_id = any (batch)
        order by e.tenant_id, e.fact_id for no key update;
      update search_entries e set words = e.words
        where (e.tenant_id, e.fact_id) > (reached.last_tenant, reached.last_fact)
          and (e.tenant_id, e.fact_id) <= (batch_tenant, batch_fact) and e.fact_id = any (batch);
      update search_folding set last_tenant = batch_tenant, last_fact = batch_fact;
      return 'more';
    end $body$;
    revoke all on function fold_search_entries() from public;
  `,
};
