import { type Principal, ProblemError } from '@sluice/contract';
import type { Reader } from '@sluice/http';

/** Bytes of a name in the audit record. No account has a longer one, and a header may have 64 KiB. */
const NAME_BYTES_MAX = 320;
const USER_HEADERS = ['x-trino-user', 'x-trino-original-user'] as const;

/** Clients send UTF-8, which Node.js decodes as Latin-1. */
const asUtf8 = (header: string): string => Buffer.from(header, 'latin1').toString('utf8');

/**
 * Rejects a request in the name of another account than that of its credential: nobody acts for others here. Drivers send the name that
 * their user logged in with, which may differ in case. Throws `access_denied` with the beginning of the other name for the audit record.
 */
export function requireOwnUser(headers: Reader, { name }: Principal): void {
  for (const header of USER_HEADERS) {
    const user = headers.get(header) ?? '';
    if (user === '' || asUtf8(user).toLowerCase() === name.toLowerCase()) continue;
    throw new ProblemError(
      'access_denied',
      `The header ${header} names another account than the credential. Set the user of the connection to ${name}.`,
      { asUser: asUtf8(user.slice(0, NAME_BYTES_MAX)) },
    );
  }
}
