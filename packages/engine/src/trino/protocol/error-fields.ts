/** What Trino says of an error (`QueryError` of the client protocol); a field may be absent, whatever a version leaves out. */
export interface TrinoError {
  readonly message?: string | undefined;
  readonly errorName?: string | undefined;
  readonly errorType?: string | undefined;
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number } | undefined;
}

export interface TrinoStats {
  readonly state?: string | undefined;
  readonly completedSplits?: number | undefined;
  readonly totalSplits?: number | undefined;
}

/** Of the `error` of a page. What is of another type than the protocol says counts as left out: an error stays one. */
export function readError(told: unknown): TrinoError {
  const { message, errorName, errorType, errorLocation } = membersOf(told);
  const { lineNumber, columnNumber } = membersOf(errorLocation);
  const isPlace = typeof lineNumber === 'number' && typeof columnNumber === 'number';
  return {
    message: textOr(message),
    errorName: textOr(errorName),
    errorType: textOr(errorType),
    ...(isPlace ? { errorLocation: { lineNumber, columnNumber } } : {}),
  };
}

/** Of the `stats` of a page, by the same rule. */
export function readStats(told: unknown): TrinoStats {
  const { state, completedSplits, totalSplits } = membersOf(told);
  return { state: textOr(state), completedSplits: countOr(completedSplits), totalSplits: countOr(totalSplits) };
}

export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none of what is no object. */
export const membersOf = (told: unknown): Members =>
  typeof told === 'object' && told !== null ? (told as Members) : {};

const textOr = (told: unknown): string | undefined => (typeof told === 'string' ? told : undefined);
const countOr = (told: unknown): number | undefined => (typeof told === 'number' ? told : undefined);
