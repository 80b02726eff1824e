import { describe, expect, it } from '@jest/globals';
import { buildCaller } from '@sluice/testkit';
import { requireOwnUser } from './own-user.ts';

const principal = { ...buildCaller('ann').principal, name: 'jörg@example.com' };
const check = (headers: Readonly<Record<string, string>>) => () =>
  requireOwnUser({ get: (name) => headers[name] }, principal);
/** A header as Node.js decodes the UTF-8 that a client sent. */
const sent = (name: string): string => Buffer.from(name).toString('latin1');

describe('the user of a Trino client', () => {
  it('is that of the credential, in any case, or is not named', () => {
    for (const user of [sent('jörg@example.com'), sent('JÖRG@example.com'), ''])
      expect(check({ 'x-trino-user': user, 'x-trino-original-user': user })).not.toThrow();
    expect(check({})).not.toThrow();
  });

  it('is nobody else', () => {
    for (const header of ['x-trino-user', 'x-trino-original-user'])
      for (const user of ['bob@example.com', 'jörg', ' ', sent('jörg@example.com.evil.example')])
        expect(check({ [header]: user })).toThrow(
          expect.objectContaining({ code: 'access_denied', asUser: Buffer.from(user, 'latin1').toString() }),
        );
  });

  it('is recorded with its first 320 bytes', () =>
    expect(check({ 'x-trino-user': 'x'.repeat(60_000) })).toThrow(
      expect.objectContaining({ asUser: 'x'.repeat(320) }),
    ));
});
