import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { jdbcTypeOf } from '../index.ts';

describe('jdbcTypeOf', () => {
  it.each([
    ['boolean', 16, 'java.lang.Boolean', 1, 0],
    ['tinyint', -6, 'java.lang.Byte', 3, 0],
    ['smallint', 5, 'java.lang.Short', 5, 0],
    ['integer', 4, 'java.lang.Integer', 10, 0],
    ['bigint', -5, 'java.lang.Long', 19, 0],
    ['number', 2, 'java.math.BigDecimal', 0, 0],
    ['real', 7, 'java.lang.Float', 9, 0],
    ['double', 8, 'java.lang.Double', 17, 0],
    ['decimal(5,2)', 3, 'java.math.BigDecimal', 5, 2],
    ['decimal(38,0)', 3, 'java.math.BigDecimal', 38, 0],
    ['decimal(20,0)', 3, 'java.math.BigDecimal', 20, 0],
    ['varchar', 12, 'java.lang.String', 2_147_483_647, 0],
    ['varchar(3)', 12, 'java.lang.String', 3, 0],
    ['varchar(0)', 12, 'java.lang.String', 0, 0],
    ['char(3)', 1, 'java.lang.String', 3, 0],
    ['varbinary', -3, '[B', 2_147_483_647, 0],
    ['json', 12, 'java.lang.String', 2_147_483_647, 0],
    ['uuid', 2000, 'java.util.UUID', 36, 0],
    ['ipaddress', 12, 'java.lang.String', 45, 0],
    ['date', 91, 'java.sql.Date', 10, 0],
    ['time(6)', 92, 'java.sql.Time', 15, 6],
    ['time(0)', 92, 'java.sql.Time', 8, 0],
    ['time(6) with time zone', 2013, 'java.time.OffsetTime', 21, 6],
    ['timestamp(0)', 93, 'java.sql.Timestamp', 19, 0],
    ['timestamp(12)', 93, 'java.sql.Timestamp', 32, 12],
    ['timestamp(3) with time zone', 2014, 'java.time.ZonedDateTime', 56, 3],
    ['interval', 1111, 'java.lang.String', 0, 0],
    ['interval day to second', 1111, 'java.lang.String', 0, 0],
    ['array(integer)', 2003, 'java.sql.Array', 0, 0],
    ['array(decimal(5,2))', 2003, 'java.sql.Array', 0, 0],
    ['map(date,integer)', 2000, 'java.util.Map', 0, 0],
    ['row(b decimal(3,2),a varchar)', 2000, 'java.util.Map', 0, 0],
    ['unknown', 0, 'java.lang.Object', 0, 0],
    ['hyperloglog', 1111, 'java.lang.String', 0, 0],
    ['constructor', 1111, 'java.lang.String', 0, 0],
  ])('maps %s', (type, data_type, java_type, column_size, decimal_digits) => {
    expect(jdbcTypeOf(type)).toEqual({ data_type, java_type, column_size, decimal_digits });
  });

  it('knows every type of docs/values.md except the one that both engines keep internal', async () => {
    const page = await readFile(new URL('../../../../docs/values.md', import.meta.url), 'utf8');
    const types = parseMarkdownTables(page).flatMap((rows) => rows.map((row) => row['Type'] ?? ''));
    expect(types.length).toBeGreaterThan(70);
    const foreign = types.filter((type) => jdbcTypeOf(type).data_type === 1111 && !type.startsWith('interval'));
    expect(foreign).toEqual(['hyperloglog']);
  });
});
