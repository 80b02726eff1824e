import type { EngineError, ProblemCode, SqlLocation } from '@sluice/contract';
import type { TrinoError } from '../trino-error.ts';
import { PROBLEM_ERRORS } from './problem-errors.ts';
import { numberOfError, STANDARD_ERRORS, typeOfError } from './standard-errors.ts';

interface PresentedLocation {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** `error` of a page (`QueryError` of Trino). */
export interface PresentedError {
  readonly message: string;
  readonly errorCode: number;
  readonly errorName: string;
  readonly errorType: string;
  readonly errorLocation?: PresentedLocation | undefined;
  /** Drivers require it. It never has a stack. */
  readonly failureInfo: {
    readonly type: string;
    readonly message: string;
    readonly suppressed: readonly never[];
    readonly stack: readonly never[];
    readonly errorLocation?: PresentedLocation | undefined;
  };
}

/** A failure of a statement, from its run or from its receipt, which has no location. */
export interface StatementFailure {
  /** Code of a problem, in the case of streams: `TABLE_NOT_FOUND`. */
  readonly code: string;
  readonly message: string;
  readonly location?: SqlLocation | undefined;
  /** Name and number of an engine that knows them better than `code` does. Clients get them unchanged. */
  readonly engineError?: EngineError | undefined;
}

/** Returns a failure as clients of Trino read it. */
export function presentError({ code, message, location, engineError }: StatementFailure): PresentedError {
  const errorLocation = location && { lineNumber: location.line, columnNumber: location.column };
  return presented(engineError ?? standardError(nameOf(code)), message, errorLocation);
}

/** Returns an error of a statement that this package rejects, as clients of Trino read it. */
export const presentTrinoError = ({ errorName, message, location }: TrinoError): PresentedError =>
  presented(standardError(errorName), message, location);

/** A receipt may have a code of another version of the hosts. */
function nameOf(streamCode: string): string {
  const code = streamCode.toLowerCase();
  return Object.hasOwn(PROBLEM_ERRORS, code) ? PROBLEM_ERRORS[code as ProblemCode] : 'GENERIC_INTERNAL_ERROR';
}

function standardError(name: string): EngineError {
  const code = numberOfError(name);
  const type = typeOfError(code);
  return { name: code === STANDARD_ERRORS.GENERIC_USER_ERROR ? 'GENERIC_USER_ERROR' : name, code, type };
}

/** Most clients show the message alone, so Trino puts the place in front of it, too. */
function presented(
  { name, code, type }: EngineError,
  text: string,
  errorLocation: PresentedLocation | undefined,
): PresentedError {
  const placed = errorLocation === undefined ? {} : { errorLocation };
  const place = errorLocation === undefined ? '' : `line ${errorLocation.lineNumber}:${errorLocation.columnNumber}: `;
  const message = `${place}${text}`;
  return {
    message,
    errorCode: code,
    errorName: name,
    errorType: type,
    ...placed,
    failureInfo: { type: `io.sluice.${name}`, message, suppressed: [], stack: [], ...placed },
  };
}
