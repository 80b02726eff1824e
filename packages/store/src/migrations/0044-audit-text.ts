import { ACCENTS } from '@sluice/contract';
import type { SchemaStep } from './migration.ts';

/** Collations that know the lower case of every letter. That of the database may be `C`, which knows ASCII only. */
const COLLATIONS = ['und-x-icu', 'pg_c_utf8', 'C.utf8', 'en_US.utf8', 'default'];

/**
 * Folds target and SQL of an audit record as `foldText` of the contract folds the words that are searched in them. Most SQL is ASCII, for which
 * the long way would take ten times as long. Nothing is stored, so that writing a record costs the same as before.
 */
export const auditTextStep: SchemaStep = {
  name: '0044-audit-text',
  sql: `
  do $do$
  declare
    collations text[] := array[${COLLATIONS.map((name) => `'${name}'`).join(', ')}];
    collation_name text := (
      select collname from pg_collation where collname = any (collations) and collencoding in (-1, pg_char_to_encoding('UTF8'))
      order by array_position(collations, collname::text) limit 1);
  begin
    execute format($create$
      create function audit_text(target text, metadata jsonb) returns text language plpgsql immutable parallel safe as $body$
      declare
        written text := target || E'\\n' || coalesce(metadata ->> 'sql', '');
      begin
        if octet_length(written) = char_length(written) then
          return lower(written collate "C");
        end if;
        return regexp_replace(search_fold(lower(normalize(written, NFKD) collate %I)), '[${ACCENTS}]', '', 'g');
      end $body$
    $create$, collation_name);
  end $do$;
`,
};
