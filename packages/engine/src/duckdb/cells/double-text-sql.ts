import type { DuckDBType } from '@duckdb/node-api';
import { DuckDBTypeId } from '../node-api.ts';
import { sqlLet } from '../sql-text.ts';

/**
 * Largest magnitude for which the cast is used. Beyond it `to_json` writes an exponent, as the cast does, so the two differ only in
 * the sign of the exponent.
 * Every double that the cast gets wrong is beyond it: of powers of two from 2^53 on, it doubles those that its fast algorithm
 * cannot handle (2^81, 2^91 and 2^807 in DuckDB 1.5.6 and 2.0.0). A bound costs as much as `isfinite` did; a list of the wrong
 * values costs a tenth more, and `BETWEEN` makes planning quadratic in the number of columns (26 s for 2,000; measured).
 */
const CAST_MAX = '1e21';

/**
 * Returns SQL of the shortest text that reads back as the same FLOAT or DOUBLE; NULL for NULL. `word` maps SQL of `NaN` and
 * infinities to their notation.
 */
export function doubleTextSql(type: DuckDBType, value: string, word = (name: string): string => name): string {
  const text = `WHEN isfinite(${value}) THEN ${floatTextSql(value)}`;
  const exact = `WHEN abs(${value}) <= ${CAST_MAX} THEN ${value}::VARCHAR WHEN isfinite(${value}) THEN replace(to_json(${value})::VARCHAR, 'e', 'e+')`;
  return `CASE ${type.typeId === DuckDBTypeId.DOUBLE ? exact : text} ELSE ${word(nonFinite(value))} END`;
}

/**
 * The cast of a FLOAT is the exact value where two shortest strings are equally close, or one is just as far as the next FLOAT
 * (337377.375 instead of 337377.38; 0.6 % of random values). The exact value is also the text of the DOUBLE, and has at least eight
 * digits. No text of up to six digits is that close to another one, so `%g` with six or more digits finds the shortest.
 */
const floatTextSql = (value: string): string =>
  sqlLet(
    't',
    `${value}::VARCHAR`,
    `CASE WHEN length(t) > 8 AND t = t::FLOAT::DOUBLE::VARCHAR THEN ${SHORTEST_FLOAT} ELSE t END`,
  );

const SHORTEST_FLOAT = `format(list_filter(['{:.6g}', '{:.7g}', '{:.8g}', '{:.9g}'],
  lambda f: format(f, t::FLOAT::DOUBLE)::FLOAT = t::FLOAT)[1], t::FLOAT::DOUBLE)::DOUBLE::VARCHAR`;

const nonFinite = (value: string): string =>
  `CASE WHEN isnan(${value}) THEN 'NaN' WHEN ${value} > 0 THEN 'Infinity' WHEN ${value} < 0 THEN '-Infinity' END`;

/**
 * Strings that the cast of a GEOMETRY has for coordinates of 2^81, 2^91 and 2^807; the first two are also the strings of twice the
 * value.
 */
const WRONG_COORDINATES = ['4.835703278458517e+24', '4.951760157141521e+27', 'A.070116948172427e+242'];
const INEXACT_COORDINATE =
  'A coordinate of a geometry cannot be written exactly as text. Select ST_AsWKB of the geometry, which contains the exact coordinate.';

/**
 * Returns SQL of a geometry as well-known text. Only the cast can write its coordinates, which are doubles, so a string that may be
 * wrong is an error.
 */
export function geometryTextSql(value: string): string {
  const text = `${value}::VARCHAR`;
  const isAmbiguous = WRONG_COORDINATES.map((wrong) => `contains(${text}, '${wrong}')`).join(' OR ');
  return `CASE WHEN ${isAmbiguous} THEN error('${INEXACT_COORDINATE}') ELSE ${text} END`;
}
