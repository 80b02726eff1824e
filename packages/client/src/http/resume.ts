import { ConnectionError, IncompleteResultError, ResponseError } from '../errors.ts';
import { retryDelayMs, wait } from './retry.ts';

/** One attempt to continue a result after its connection was cut. */
export interface Resumption {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Rows of a result, or bytes of a download, that have arrived. */
  readonly received: number;
  /** Failure of the connection, or of the attempt before. */
  readonly error: unknown;
}

export interface ResumeOptions {
  /** Maximum number of attempts to continue a kept result after its connection was cut. Default: 3. 0 turns them off. */
  readonly resumeAttempts?: number | undefined;
  /** Called before each attempt. */
  readonly onResume?: ((resumption: Resumption) => void) | undefined;
}

const ATTEMPTS = 3;
const RETRY_DELAY_MAX_MS = 60_000;

/** Returns whether another request may succeed: the connection or a host failed, not the request. */
export function mayResume(error: unknown): boolean {
  if (error instanceof IncompleteResultError) return error.reason === 'cut' || error.reason === 'stalled';
  if (error instanceof ConnectionError) return true;
  return error instanceof ResponseError && (error.status === 429 || (error.status ?? 0) >= 500);
}

/**
 * Checks the option that limits the attempts.
 * @throws TypeError if it is not a whole number of at least 0
 */
export function requireAttempts({ resumeAttempts }: ResumeOptions): void {
  if (resumeAttempts === undefined || (Number.isSafeInteger(resumeAttempts) && resumeAttempts >= 0)) return;
  throw new TypeError('resumeAttempts must be a whole number of at least 0.');
}

/** Counts the attempts to continue one result, and waits before each of them. */
export class Resumer {
  readonly #options: ResumeOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #delayMaxMs: number;
  #attempt = 0;

  /** @param delayMaxMs - longest wait before an attempt. A longer `Retry-After` ends the attempts. Default: 60,000 */
  constructor(options: ResumeOptions, signal: AbortSignal | undefined, delayMaxMs: number = RETRY_DELAY_MAX_MS) {
    requireAttempts(options);
    this.#options = options;
    this.#signal = signal;
    this.#delayMaxMs = delayMaxMs;
  }

  /** Attempts so far. */
  get attempts(): number {
    return this.#attempt;
  }

  /**
   * Waits for the time of the next attempt. Returns false if there is not one: the error is not that of a connection, or all were used.
   * @param received - rows or bytes that have arrived
   * @throws the reason of the signal
   */
  async next(error: unknown, received: number): Promise<boolean> {
    const { resumeAttempts = ATTEMPTS, onResume } = this.#options;
    if (!mayResume(error) || this.#attempt >= resumeAttempts) return false;
    const attempt = this.#attempt + 1;
    const delayMs = retryDelayMs(error, attempt);
    if (delayMs > this.#delayMaxMs) return false;
    this.#attempt = attempt;
    await wait(delayMs, this.#signal);
    onResume?.({ attempt, received, error });
    return true;
  }

  /**
   * Returns the error of a result that could not be continued: that of its cut, with why the last attempt failed.
   * @param advice - sentence that says what to do
   */
  explain(failure: unknown, last: unknown, advice: string): unknown {
    const isCut = failure instanceof IncompleteResultError && mayResume(failure);
    if (!isCut || (this.#attempt === 0 && last === failure)) return failure;
    const reason = last instanceof Error && last !== failure ? ` (${last.message.replace(/\.$/, '')})` : '';
    const tries = this.#attempt === 1 ? '1 attempt' : `${this.#attempt} attempts`;
    const message = `The connection was cut, and the result could not be continued in ${tries}${reason}. ${advice}`;
    const { requestId, queryId } = failure;
    return new IncompleteResultError(failure.reason, message, { requestId, queryId, cause: last });
  }
}
