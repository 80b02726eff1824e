import type { DuckDBType } from '@duckdb/node-api';
import { DuckDBTypeId } from '../node-api.ts';
import { geometryTextSql } from './double-text-sql.ts';
import { intervalText } from './interval-text.ts';
import {
  dateText,
  MICROSECONDS,
  MILLISECONDS,
  nanosecondTimestampText,
  nanosecondTimeText,
  SECONDS,
  timestampText,
  timeText,
  zonedTimestampText,
  zonedTimeText,
} from './time-text.ts';

/** SQL of the text of a value, or NULL, and whether that text can need quotes or escapes. */
export interface ScalarText {
  readonly sql: string;
  /** `number`: a JSON number. `plain`: only letters, digits and `:+-. `. `free`: anything. */
  readonly alphabet: 'number' | 'plain' | 'free';
}

/** Returns the exact text of a scalar, as docs/values.md lists it per type. Values are shown in `timeZone`. */
export function scalarText(type: DuckDBType, value: string, timeZone: string): ScalarText {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
    case DuckDBTypeId.BIGNUM:
      return { sql: `${value}::VARCHAR`, alphabet: 'number' };
    case DuckDBTypeId.DECIMAL:
      return { sql: type.width === type.scale ? fractionText(value) : `${value}::VARCHAR`, alphabet: 'number' };
    case DuckDBTypeId.UUID:
      return { sql: `${value}::VARCHAR`, alphabet: 'plain' };
    case DuckDBTypeId.BLOB:
      return { sql: `to_base64(${value})`, alphabet: 'plain' };
    case DuckDBTypeId.VARIANT: // its text as VARCHAR would not distinguish 1 from '1'
      return { sql: `CASE WHEN ${value} IS NULL THEN NULL ELSE ${value}::JSON::VARCHAR END`, alphabet: 'free' };
    case DuckDBTypeId.GEOMETRY:
      return { sql: geometryTextSql(value), alphabet: 'free' };
    default: {
      const time = timeOf(type, value, timeZone);
      return time === undefined ? { sql: `${value}::VARCHAR`, alphabet: 'free' } : { sql: time, alphabet: 'plain' };
    }
  }
}

function timeOf(type: DuckDBType, value: string, timeZone: string): string | undefined {
  switch (type.typeId) {
    case DuckDBTypeId.DATE:
      return dateText(value);
    case DuckDBTypeId.TIMESTAMP_S:
      return timestampText(value, SECONDS);
    case DuckDBTypeId.TIMESTAMP_MS:
      return timestampText(value, MILLISECONDS);
    case DuckDBTypeId.TIMESTAMP:
      return timestampText(value, MICROSECONDS);
    case DuckDBTypeId.TIMESTAMP_NS:
      return nanosecondTimestampText(value);
    case DuckDBTypeId.TIMESTAMP_TZ:
      return zonedTimestampText(value, timeZone);
    case DuckDBTypeId.TIME:
      return timeText(value);
    case DuckDBTypeId.TIME_NS:
      return nanosecondTimeText(value);
    case DuckDBTypeId.TIME_TZ:
      return zonedTimeText(value);
    case DuckDBTypeId.INTERVAL:
      return intervalText(value);
    default:
      return undefined;
  }
}

/** Returns SQL that fails unless a string is valid UTF-8. Neither function changes the string, and one of them checks it. */
export const validText = (text: string): string => `decode(encode(${text}))`;

/** A decimal without digits before the point is cast to `.50`, which is not a JSON number. */
const fractionText = (value: string): string =>
  `CASE WHEN ${value} < 0 THEN '-0' || substr(${value}::VARCHAR, 2) ELSE '0' || ${value}::VARCHAR END`;
