import { expect, it } from '@jest/globals';
import { findNonlinearGrowth, repeatedStrings, shortOrLong } from '@sluice/testkit';
import { doorContext } from '../testing/door-context.ts';
import { putSessionFacts } from './catalogue/put-session-facts.ts';
import { readCatalogueStatement } from './catalogue/read-catalogue-statement.ts';
import { readClientSession } from './session/read-client-session.ts';
import { likePattern } from './statement/like-pattern.ts';
import { readStatement } from './statement/read-statement.ts';
import { duckDbValue } from './values/duckdb-value.ts';

const SESSION = readClientSession({});
const FACTS = { engine: 'duckdb', user: 'ann' } as const;

/** Runs a reader, which may refuse the text. */
const tried =
  (read: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return read(text);
    } catch (thrown) {
      return thrown;
    }
  };

/** Functions that read what a client sends, before an engine does. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the properties of a session': (text) => readClientSession({ 'x-trino-session': text }),
  'the prepared statements of a session': (text) => readClientSession({ 'x-trino-prepared-statement': `s=${text}` }),
  'the time zone of a session': (text) => readClientSession({ 'x-trino-time-zone': text }),
  'a statement for Trino': (text) => readStatement(`SELECT ${text}`, doorContext()),
  'a statement for DuckDB': (text) => readStatement(`SELECT x'1', ${text}`, doorContext({ engine: 'duckdb' })),
  'the facts of a session in a statement': (text) =>
    putSessionFacts(`SELECT current_user, ${text}`, { session: SESSION, facts: FACTS }),
  'a statement about the catalogue': (text) =>
    readCatalogueStatement(`SELECT * FROM system.jdbc.types, ${text}`, SESSION, FACTS),
  'a literal of a time for DuckDB': (text) =>
    readStatement(`SELECT TIMESTAMP '2020-01-01 ${text}'`, doorContext({ engine: 'duckdb' })),
  'a statement that is prepared': (text) => readStatement(`PREPARE s FROM ${text}`, doorContext()),
  'a statement with values': (text) => readStatement(`EXECUTE IMMEDIATE '${text}' USING 1`, doorContext()),
  'the values of a statement': (text) => readStatement(`EXECUTE IMMEDIATE 'SELECT ?' USING ${text}`, doorContext()),
  'a statement of the session': (text) => readStatement(`SET PATH ${text}`, doorContext()),
  'the options of EXPLAIN': (text) => readStatement(`EXPLAIN (${text}`, doorContext({ engine: 'duckdb' })),
  'a value for DuckDB': duckDbValue,
  'a decimal for DuckDB': (text) => duckDbValue(`DECIMAL '${text}'`),
  'an interval for DuckDB': (text) => duckDbValue(`INTERVAL '${text}' DAY TO SECOND`),
  'a pattern of SHOW': (text) => likePattern(text, '\\')('query_max_run_time'),
};

const STRINGS = repeatedStrings(shortOrLong(2, 10, 400));

it.each(Object.entries(READERS))('%s takes time linear in its text, whatever the text repeats', (_name, read) => {
  expect(STRINGS.map((text) => findNonlinearGrowth(tried(read), text)).find(Boolean)).toBeUndefined();
});
