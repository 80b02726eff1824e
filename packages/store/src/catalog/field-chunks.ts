/** Fields of one statement. An import may name a hundred thousand, and a statement has a time limit of a few seconds. */
const FIELDS_MAX = 5000;

/** Yields chunks of fields; none for an empty list. */
export function* fieldChunks<T>(fields: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < fields.length; start += FIELDS_MAX) yield fields.slice(start, start + FIELDS_MAX);
}
