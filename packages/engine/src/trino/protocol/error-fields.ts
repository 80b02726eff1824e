/** An error of Trino (`QueryError` of the client protocol). Any field may be missing, depending on the version. */
export interface TrinoError {
  readonly message?: string | undefined;
  readonly errorName?: string | undefined;
  readonly errorCode?: number | undefined;
  readonly errorType?: string | undefined;
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number } | undefined;
}

export interface TrinoStats {
  readonly state?: string | undefined;
  readonly completedSplits?: number | undefined;
  readonly totalSplits?: number | undefined;
}

/** Reads the `error` of a page. A field of an unexpected type counts as missing: an error remains an error. */
export function readError(json: unknown): TrinoError {
  const { message, errorName, errorCode, errorType, errorLocation } = membersOf(json);
  const { lineNumber, columnNumber } = membersOf(errorLocation);
  const hasLocation = typeof lineNumber === 'number' && typeof columnNumber === 'number';
  return {
    message: textOr(message),
    errorName: textOr(errorName),
    errorCode: countOr(errorCode),
    errorType: textOr(errorType),
    ...(hasLocation ? { errorLocation: { lineNumber, columnNumber } } : {}),
  };
}

/** Reads the `stats` of a page, with the same rule. */
export function readStats(json: unknown): TrinoStats {
  const { state, completedSplits, totalSplits } = membersOf(json);
  return { state: textOr(state), completedSplits: countOr(completedSplits), totalSplits: countOr(totalSplits) };
}

export type Members = Readonly<Record<string, unknown>>;

/** Returns the members of a JSON object; an empty object for anything else. */
export const membersOf = (json: unknown): Members =>
  typeof json === 'object' && json !== null ? (json as Members) : {};

const textOr = (json: unknown): string | undefined => (typeof json === 'string' ? json : undefined);
const countOr = (json: unknown): number | undefined => (typeof json === 'number' ? json : undefined);
