import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import {
  auditProblem,
  isPlanLost,
  isUnavailable,
  isWriteFailure,
  operatorProblem,
  storeProblem,
} from './store-problem.ts';

const failure = (code: string | undefined, message = 'failed'): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

const UNAVAILABLE: readonly Error[] = [
  failure('ECONNREFUSED'),
  failure('08006'),
  failure('53300'),
  failure('57P01'),
  failure('40001'),
  failure('55P03'),
  failure(undefined, 'timeout exceeded when trying to connect'),
  failure(undefined, 'Connection terminated unexpectedly'),
  Object.assign(new Error('all addresses failed'), { errors: [failure('ECONNREFUSED'), failure('ENETUNREACH')] }),
];

describe('storeProblem', () => {
  it.each(UNAVAILABLE)('returns service_unavailable with a retry hint: %p', (thrown) => {
    expect(isUnavailable(thrown)).toBe(true);
    expect(storeProblem(thrown)).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1, cause: thrown });
  });

  it.each(['22021', '22P05', '22P02', '22008', '22001', '22003'])('returns invalid_request for SQLSTATE %s', (code) => {
    const thrown = failure(code);
    expect(isUnavailable(thrown)).toBe(false);
    expect(storeProblem(thrown)).toMatchObject({ code: 'invalid_request', cause: thrown });
  });

  it.each([
    new ProblemError('not_found', 'There is no such tenant.'),
    failure('23505'),
    failure('42601'),
    'a string',
    null,
  ])('returns any other value unchanged: %p', (thrown) => {
    expect(storeProblem(thrown)).toBe(thrown);
  });
});

describe('operatorProblem', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'failed', 'sslrootcert'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'failed', 'sslrootcert'],
    ['28P01', 'failed', 'Check the database URL'],
    [undefined, 'The server does not support SSL connections', 'sslmode'],
  ])('names the setting to check, which callers never see: %s', (code, message, expected) => {
    const thrown = failure(code, message);
    expect((operatorProblem(thrown) as Error).message).toContain(expected);
    expect((storeProblem(thrown) as Error).message).not.toContain(expected);
  });

  it('otherwise returns the same as storeProblem', () => {
    expect(operatorProblem(failure('ECONNREFUSED'))).toMatchObject({ code: 'service_unavailable' });
    expect(operatorProblem(failure('22021'))).toMatchObject({ code: 'invalid_request' });
  });
});

describe('auditProblem', () => {
  it.each([failure('ECONNREFUSED'), failure('23505'), new ProblemError('internal', 'failed'), 'a string'])(
    'returns audit_unavailable for %p',
    (thrown) => {
      expect(auditProblem(thrown)).toMatchObject({ code: 'audit_unavailable', retryAfterSeconds: 1 });
    },
  );

  it('keeps problems of the input', () => {
    expect(auditProblem(failure('22021')).code).toBe('invalid_request');
    const conflict = new ProblemError('conflict', 'The name is taken.');
    expect(auditProblem(conflict)).toBe(conflict);
  });
});

it.each([
  ['53100', 'failed', true],
  ['58030', 'failed', true],
  ['25006', 'failed', true],
  [undefined, 'could not extend file "base/1/2": wrote only 4096 of 8192 bytes', true],
  ['53300', 'failed', false],
  ['23505', 'failed', false],
])('isWriteFailure of %s, %s is %s', (code, message, expected) => {
  expect(isWriteFailure(failure(code, message))).toBe(expected);
});

it.each([
  ['26000', true],
  ['42P05', true],
  ['42601', false],
])('isPlanLost of %s is %s', (code, expected) => {
  expect(isPlanLost(failure(code))).toBe(expected);
});
