import { types } from 'node:util';
import { isUnavailable } from './store-problem.ts';

/** One statement that the server answered or rejected, or that got no answer. */
export interface OperationEnd {
  /** First word of the statement in capitals, such as `SELECT`. */
  readonly name: string;
  readonly seconds: number;
  /** SQLSTATE of a statement that the server rejected. */
  readonly sqlState?: string;
  /** SQLSTATE, `unavailable` or `other`. Absent if the statement succeeded. */
  readonly errorType?: string;
}

/** Receives the end of each statement, for metrics. */
export type OnOperation = (operation: OperationEnd) => void;

const VERB = /^\s*([a-z]+)/i;
const SQL_STATE = /^[0-9A-Z]{5}$/;

const failureOf = (thrown: unknown): Pick<OperationEnd, 'sqlState' | 'errorType'> => {
  const code: unknown = types.isNativeError(thrown) ? Reflect.get(thrown, 'code') : undefined;
  // Codes of the system have five letters too (EPIPE), but only errors of the server have a severity.
  const isServerError = types.isNativeError(thrown) && Reflect.has(thrown, 'severity');
  if (isServerError && typeof code === 'string' && SQL_STATE.test(code)) return { sqlState: code, errorType: code };
  return { errorType: isUnavailable(thrown) ? 'unavailable' : 'other' };
};

/** Runs a statement and reports how long it took and how it failed. */
export async function observeOperation<T>(
  text: string,
  work: () => Promise<T>,
  onOperation: OnOperation | undefined,
): Promise<T> {
  if (onOperation === undefined) return await work();
  const startedMs = performance.now();
  const report = (failure: Pick<OperationEnd, 'sqlState' | 'errorType'>): void =>
    onOperation({
      name: VERB.exec(text)?.[1]?.toUpperCase() ?? 'OTHER',
      seconds: (performance.now() - startedMs) / 1000,
      ...failure,
    });
  try {
    const result = await work();
    report({});
    return result;
  } catch (thrown) {
    report(failureOf(thrown));
    throw thrown;
  }
}
