import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { TrinoError } from '../trino-error.ts';
import type { RequestHeaders } from './header-reader.ts';
import { readClientSession } from './read-client-session.ts';

const thrownBy = (headers: RequestHeaders): unknown => {
  try {
    readClientSession(headers);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

describe('the session of a request', () => {
  it('is empty without headers', () => {
    expect(readClientSession({})).toMatchObject({
      user: undefined,
      catalog: undefined,
      timeZone: undefined,
      transactionId: undefined,
      capabilities: { parametricDatetime: false, number: false },
      clientTags: [],
    });
  });

  it('has what JDBC sends', () => {
    const session = readClientSession({
      'x-trino-user': 'ann@acme.example',
      'x-trino-source': 'trino-jdbc',
      'x-trino-catalog': 'demo',
      'x-trino-schema': 'main',
      'x-trino-time-zone': 'Etc/UTC',
      'x-trino-client-tags': 'bi, nightly,',
      'x-trino-client-info': 'report, 7',
      'x-trino-trace-token': 'abc',
      'x-trino-transaction-id': 'NONE',
      'x-trino-client-capabilities': 'PATH,PARAMETRIC_DATETIME, NUMBER,NONSENSE',
      'x-trino-session': 'query_max_run_time=5.00s, note=a%2Cb+c',
      'x-trino-prepared-statement': 'statement1=SELECT+%3F, s2=SELECT%202',
      'x-trino-role': 'system=ROLE%7Badmin%7D,hive=ALL',
      'x-trino-path': 'a.b, c',
    });
    expect({ ...session, properties: [...session.properties], prepared: [...session.prepared] }).toMatchObject({
      user: 'ann@acme.example',
      catalog: 'demo',
      schema: 'main',
      timeZone: 'UTC',
      source: 'trino-jdbc',
      clientTags: ['bi', 'nightly'],
      clientInfo: 'report, 7',
      traceToken: 'abc',
      transactionId: undefined,
      capabilities: { parametricDatetime: true, number: true },
      properties: [
        ['query_max_run_time', '5.00s'],
        ['note', 'a,b c'],
      ],
      prepared: [
        ['statement1', 'SELECT ?'],
        ['s2', 'SELECT 2'],
      ],
      path: 'a.b, c',
    });
    expect([...(session.roles ?? [])]).toEqual([
      ['system', 'ROLE{admin}'],
      ['hive', 'ALL'],
    ]);
  });

  it('reads a header that is there several times, joined or not', () => {
    const lists = [['a=1', 'b=2'], 'a=1, b=2', ['a=1,b=2']];
    for (const header of lists)
      expect([...readClientSession({ 'x-trino-session': header }).properties]).toEqual([
        ['a', '1'],
        ['b', '2'],
      ]);
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Z', 'UTC'],
    ['GMT', 'UTC'],
    ['UTC+05:30', '+05:30'],
    ['+5', '+05:00'],
    ['-0330', '-03:30'],
    ['+00:00', 'UTC'],
    ['+14:00', '+14:00'],
  ])('reads the time zone %s as %s', (header, zone) => {
    expect(readClientSession({ 'x-trino-time-zone': header }).timeZone).toBe(zone);
  });

  it('prefers the time zone that SET TIME ZONE has set', () => {
    const headers = { 'x-trino-time-zone': 'Europe/Berlin', 'x-trino-session': 'time_zone_id=%2B05%3A30' };
    expect(readClientSession(headers).timeZone).toBe('+05:30');
  });

  it.each(['Mars/Olympus', '+15:00', '+05:60', 'PST', "UTC'; DROP"])('refuses the time zone %s', (zone) => {
    expect(thrownBy({ 'x-trino-time-zone': zone })).toMatchObject({ errorName: 'INVALID_SESSION_PROPERTY' });
    expect(thrownBy({ 'x-trino-time-zone': zone })).toBeInstanceOf(TrinoError);
  });

  it.each<[string, RequestHeaders, string]>([
    ['two users', { 'x-trino-user': ['ann', 'ben'] }, 'more than once'],
    ['a name that is too long', { 'x-trino-catalog': 'a'.repeat(257) }, 'at most 256 characters'],
    ['another character than ASCII', { 'x-trino-schema': 'm\u00fcll' }, 'ASCII'],
    ['a control character', { 'x-trino-source': 'a\u0001' }, 'control characters'],
    ['a property without a value', { 'x-trino-session': 'a' }, 'name=value'],
    ['a property twice', { 'x-trino-session': 'a=1,a=2' }, 'names "a" twice'],
    ['a prepared statement twice', { 'x-trino-prepared-statement': 's=SELECT+1,s=SELECT+2' }, 'names "s" twice'],
    ['an encoding that is not UTF-8', { 'x-trino-prepared-statement': 's=%ff' }, 'percent-encoded'],
    ['half an escape', { 'x-trino-session': 'a=%2' }, 'percent-encoded'],
    ['a NUL', { 'x-trino-prepared-statement': 's=SELECT%00' }, 'NUL'],
    ['a transaction of nonsense', { 'x-trino-transaction-id': 'x y' }, 'NONE or the id'],
    ['a role of nonsense', { 'x-trino-role': 'system=admin' }, 'ROLE{name}'],
    ['too many tags', { 'x-trino-client-tags': 'a,'.repeat(101) }, 'at most 100 items'],
    [
      'too many prepared statements',
      { 'x-trino-prepared-statement': Array.from({ length: 10_000 }, (_, n) => `s${n}=a`).join() },
      'at most 1000 items',
    ],
  ])('refuses %s with one sentence', (_what, headers, sentence) => {
    const thrown = thrownBy(headers);
    expect(thrown).toBeInstanceOf(ProblemError);
    expect(thrown).toMatchObject({ code: 'invalid_request' });
    expect((thrown as Error).message).toContain(sentence);
  });
});
