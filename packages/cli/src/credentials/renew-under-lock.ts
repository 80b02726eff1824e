import type { AccessToken, Credentials } from './credentials.ts';
import { withFileLock } from './file-lock.ts';

/** Credentials that the processes of a user share. */
interface SharedCredentials<Before extends Credentials | undefined> {
  /** Path of the lock file. */
  readonly lock: string;
  readonly read: () => Promise<Before>;
  readonly write: (credentials: Credentials) => Promise<void>;
  /** Obtains the credentials that replace those which were read. */
  readonly renew: (before: Before) => Promise<Credentials>;
}

interface RenewOptions {
  /** Whether a token that another process may have stored meanwhile can be used. */
  readonly isUsable: (access: AccessToken) => boolean;
  /** Whether the process waits for the exchange at its end. Default: true */
  readonly isTracked?: boolean;
}

/**
 * Renews credentials once for all processes: the first one that gets the lock renews and stores them, the others read the result. A
 * refresh token works once, and a second use would end the session.
 */
export const renewUnderLock = <Before extends Credentials | undefined>(
  { lock, read, write, renew }: SharedCredentials<Before>,
  { isUsable, isTracked = true }: RenewOptions,
): Promise<Credentials> =>
  withFileLock(
    lock,
    async () => {
      const before = await read();
      if (before !== undefined && isUsable(before.access)) return before;
      const after = await renew(before);
      await write(after);
      return after;
    },
    { isTracked },
  );
