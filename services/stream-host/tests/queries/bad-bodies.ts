const json = (body: object): string => JSON.stringify(body);
const withSql = (sql: string): string => json({ sql });

/** Bodies of a query that are rejected: what is wrong, the body, the status and the paths of all invalid fields. */
export const BAD_BODIES: readonly (readonly [string, string | Buffer, number, readonly string[]])[] = [
  ['an empty body', '', 400, []],
  ['a form instead of JSON', 'sql=SELECT 1', 400, []],
  ['truncated JSON', '{"sql":"SELECT 1"', 400, []],
  ['two JSON documents', '{"sql":"SELECT 1"}{"sql":"SELECT 2"}', 400, []],
  ['invalid UTF-8', Buffer.from('{"sql":"SELECT \xff"}', 'latin1'), 400, []],
  ['deeply nested JSON', `{"sql":${'['.repeat(90_000)}${']'.repeat(90_000)}}`, 400, []],
  ['an array', '[{"sql":"SELECT 1"}]', 400, ['body']],
  ['a string', '"SELECT 1"', 400, ['body']],
  ['null', 'null', 400, ['body']],
  ['no sql', '{}', 400, ['body.sql']],
  [
    'unknown and mistyped keys',
    json({ SQL: 1, sql: 1, constructor: 1, big_numbers: 1 }),
    400,
    ['body.SQL', 'body.big_numbers', 'body.constructor', 'body.sql'],
  ],
  ['a prototype', '{"sql":"SELECT 1","__proto__":{"admin":true}}', 400, ['body.__proto__']],
  ['empty SQL', withSql(''), 400, ['body.sql']],
  ['blank SQL', withSql(' \n\t\u00a0'), 400, ['body.sql']],
  ['SQL with NUL', withSql('SELECT 1\0'), 400, ['body.sql']],
  ['half a surrogate pair', '{"sql":"SELECT \'\\ud800\'"}', 400, ['body.sql']],
  ['SQL of 262,145 bytes', withSql(`SELECT '${'x'.repeat(262_145 - 9)}'`), 400, ['body.sql']],
  ['SQL of 262,145 bytes in fewer characters', withSql(`SELECT '${'€'.repeat(87_379)}'`), 400, ['body.sql']],
  ['an offset for a time zone', json({ sql: 'SELECT 1', time_zone: '+05:00' }), 400, ['body.time_zone']],
  ['a catalog of another type', json({ sql: 'SELECT 1', catalog: 5 }), 400, ['body.catalog']],
  [
    'a blank catalog and schema',
    json({ sql: 'SELECT 1', catalog: '', schema: ' ' }),
    400,
    ['body.catalog', 'body.schema'],
  ],
  ['a schema of 257 characters', json({ sql: 'SELECT 1', schema: 's'.repeat(257) }), 400, ['body.schema']],
  ['a catalog with NUL', json({ sql: 'SELECT 1', catalog: 'a\0' }), 400, ['body.catalog']],
  ['an unknown time zone', json({ sql: 'SELECT 1', time_zone: "UTC'; DROP TABLE items; --" }), 400, ['body.time_zone']],
  ['2 MiB and more', json({ sql: 'x'.repeat(2 * 1024 * 1024) }), 413, []],
];
