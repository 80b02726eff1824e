/** A token and the time from which it is replaced. */
export interface Token {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly obtainedAt: number;
  /** Epoch milliseconds; undefined if unknown. */
  readonly expiresAt: number | undefined;
  /** Stores the token. It is awaited before the token is used. */
  readonly store?: (() => Promise<void> | void) | undefined;
}

/** Source of tokens for requests. */
export interface TokenSource {
  /**
   * Returns a token that is valid now. Callers that arrive while one is being requested share that request.
   * @throws ResponseError if the login is rejected, or what `store` of the token throws
   */
  token(signal?: AbortSignal): Promise<string>;
  /** Forgets a token that a host rejected, so that the next call requests another one. */
  discard(token: string): void;
}

/** A token is replaced after this share of its lifetime, so that none expires on the way. */
const LIFETIME_SHARE = 0.8;

const isFresh = ({ obtainedAt, expiresAt }: Token, now: number): boolean =>
  expiresAt === undefined || now < obtainedAt + (expiresAt - obtainedAt) * LIFETIME_SHARE;

/** Waits for a shared request, but no longer than the caller's signal. The request itself goes on for the others. */
function untilAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Creates a token source.
 * @param request - requests a new token; never called while an earlier call is pending
 * @param first - token to begin with
 */
export function createTokenSource(request: () => Promise<Token>, first?: Token): TokenSource {
  let current = first;
  let unstored: Token | undefined;
  let pending: Promise<string> | undefined;

  const requestOrKeep = async (): Promise<Token> => {
    try {
      return await request();
    } catch (error) {
      // The old one still works for a while: a failed refresh is not yet a failed request.
      if (current?.expiresAt !== undefined && Date.now() < current.expiresAt) return current;
      throw error;
    }
  };

  const renew = async (): Promise<string> => {
    try {
      // A token that could not be stored is not requested again: the refresh token for it has been used.
      const token = unstored ?? (await requestOrKeep());
      if (token !== current) {
        unstored = token;
        await token.store?.();
        unstored = undefined;
        current = token;
      }
      return token.value;
    } finally {
      pending = undefined;
    }
  };

  return {
    token: (signal) => {
      if (current !== undefined && isFresh(current, Date.now())) return Promise.resolve(current.value);
      pending ??= renew();
      return untilAborted(pending, signal);
    },
    discard: (token) => {
      if (current?.value === token) current = undefined;
    },
  };
}
