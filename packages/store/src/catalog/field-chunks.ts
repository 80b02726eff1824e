/** Fields of one statement: an import may name a hundred thousand, and a statement has a few seconds. */
const FIELDS_MAX = 5000;

/** No chunk for nothing. */
export function* fieldChunks<T>(fields: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < fields.length; start += FIELDS_MAX) yield fields.slice(start, start + FIELDS_MAX);
}
