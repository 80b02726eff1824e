/** Object of a file before it is validated. */
export interface RawObject {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** Returns the line of a member, and its keys from there, for messages. */
  placeOf(keys: readonly PropertyKey[]): { readonly line: number; readonly keys: readonly PropertyKey[] };
}
