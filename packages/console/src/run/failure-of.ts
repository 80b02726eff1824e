import { SluiceError } from '@sluice/client';
import type { RunFailure } from './run-failure.ts';

/** Returns what to show of an error. Errors of the client name their code and ids; any other is a fault of this page. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof SluiceError) {
    const { code, message, status, requestId, queryId, location, retryAfterSeconds } = error;
    return { code, message, status, requestId, queryId, location, retryAfterSeconds };
  }
  return {
    code: 'console_error',
    message: error instanceof Error ? error.message : String(error),
    status: undefined,
    requestId: undefined,
    queryId: undefined,
    location: undefined,
    retryAfterSeconds: undefined,
  };
}
