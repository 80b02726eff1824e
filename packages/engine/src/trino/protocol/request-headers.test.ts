import { describe, expect, it } from '@jest/globals';
import type { TrinoProfile } from './profile.ts';
import { authorization, checkedTimeZone, statementHeaders } from './request-headers.ts';

const PROFILE: TrinoProfile = {
  baseUrl: 'https://trino.example',
  catalogs: ['sales'],
  defaultCatalog: 'sales',
  credentials: { kind: 'none' },
};
const STATEMENT = { sql: 'SELECT 1', queryId: 'q-1', user: 'ann@acme.example', timeZone: 'UTC' };

describe('statementHeaders', () => {
  it('describe the whole session of a statement', () => {
    expect(statementHeaders(PROFILE, STATEMENT)).toEqual({
      'user-agent': 'sluice',
      'x-trino-user': 'ann@acme.example',
      'x-trino-source': 'sluice',
      'x-trino-trace-token': 'q-1',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'x-trino-time-zone': 'UTC',
      'x-trino-catalog': 'sales',
      'x-trino-query-data-encoding': 'json',
    });
  });

  it('contain the settings of the profile', () => {
    const profile = { ...PROFILE, defaultSchema: 'eu', source: 'bi', clientTags: ['a', 'b'], spooling: 'off' } as const;
    const headers = statementHeaders(profile, STATEMENT);
    expect(headers).toMatchObject({ 'x-trino-schema': 'eu', 'x-trino-source': 'bi', 'x-trino-client-tags': 'a,b' });
    expect(headers).not.toHaveProperty('x-trino-query-data-encoding');
  });

  it('continue the trace of a request', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(statementHeaders(PROFILE, { ...STATEMENT, traceparent })).toMatchObject({ traceparent });
    expect(statementHeaders(PROFILE, STATEMENT)).not.toHaveProperty('traceparent');
  });

  it('insert the user into the template literally', () => {
    const user = (userTemplate: string, name: string) =>
      statementHeaders({ ...PROFILE, userTemplate }, { ...STATEMENT, user: name })['x-trino-user'];
    expect(user('acme/{user}', 'etl')).toBe('acme/etl');
    expect(user('acme/{user}', '$&{user}')).toBe('acme/$&{user}');
  });

  it.each(['é', 'a\r\nx: y', ' a', ''])('reject the user name %j, which a header cannot contain', (user) => {
    expect(() => statementHeaders(PROFILE, { ...STATEMENT, user })).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
  });
});

it('authorization is sent for passwords and tokens only', () => {
  expect(authorization({ kind: 'password', user: 'svc', password: 'p:w' })).toEqual({
    authorization: `Basic ${Buffer.from('svc:p:w').toString('base64')}`,
  });
  expect(authorization({ kind: 'jwt', token: 't' })).toEqual({ authorization: 'Bearer t' });
  expect(authorization({ kind: 'none' })).toEqual({});
  expect(authorization({ kind: 'certificate', certificate: 'c', key: 'k' })).toEqual({});
});

it('checkedTimeZone accepts names of the IANA database only', () => {
  expect(checkedTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
  for (const timeZone of ['Mars/Olympus', '', 'UTC; DROP']) {
    expect(() => checkedTimeZone(timeZone)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
});
