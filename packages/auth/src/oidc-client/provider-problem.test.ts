import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { describeDiscoveryFailure, findProblemError, providerProblem } from './provider-problem.ts';

const withCode = (code: string): Error => Object.assign(new Error('wrapped'), { code });
const wrapped = (cause: unknown): Error => new TypeError('fetch failed', { cause });

const responseError = (error: string, status = 400): ResponseBodyError =>
  new ResponseBodyError('wrong', { cause: { error }, response: new Response(null, { status }) } as never);
const callbackError = (error: string): AuthorizationResponseError =>
  new AuthorizationResponseError('wrong', { cause: new URLSearchParams({ error }) } as never);

describe('providerProblem', () => {
  it.each([
    ['a network failure', wrapped(withCode('ECONNREFUSED')), 'service_unavailable', 'is unavailable'],
    [
      'a private address',
      wrapped(new ProblemError('invalid_request', 'private')),
      'service_unavailable',
      'is unavailable',
    ],
    ['its own 401', wrapped(new ProblemError('unauthorized', 'invalid subject')), 'unauthorized', 'invalid subject'],
    ['a rejected login', callbackError('access_denied'), 'unauthorized', '(access_denied)'],
    ['an unusual error code', callbackError('<script>'), 'unauthorized', '(an error)'],
    ['a temporary failure', callbackError('temporarily_unavailable'), 'service_unavailable', 'is unavailable'],
    ['a wrong client secret', responseError('invalid_client', 401), 'service_unavailable', 'client id or secret'],
    ['a used code', responseError('invalid_grant'), 'unauthorized', '(invalid_grant)'],
    ['a failing token endpoint', responseError('anything', 503), 'service_unavailable', 'is unavailable'],
  ])('maps %s', (_name, thrown, code, words) => {
    const problem = providerProblem(thrown);
    expect([problem.code, problem.message]).toEqual([code, expect.stringContaining(words)]);
  });

  it('maps a response that fails verification to unauthorized, and a malformed one to service_unavailable', () => {
    const codeOf = (code: string) => providerProblem(Object.assign(new ClientError('wrong'), { code })).code;
    expect(codeOf('OAUTH_JWT_CLAIM_COMPARISON_FAILED')).toBe('unauthorized');
    expect(codeOf('OAUTH_RESPONSE_IS_NOT_JSON')).toBe('service_unavailable');
  });
});

describe('describeDiscoveryFailure', () => {
  it.each([
    [wrapped(withCode('ENOTFOUND')), 'cannot be reached: it is an unknown host name'],
    [wrapped(withCode('CERT_HAS_EXPIRED')), 'cannot be reached: its TLS certificate is not trusted'],
    [wrapped(withCode('UND_ERR_RES_EXCEEDED_MAX_SIZE')), 'cannot be reached: it returns more than 1 MiB'],
    [withCode('OAUTH_TIMEOUT'), 'does not respond within 5 seconds'],
    [withCode('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'), 'has a discovery document of another issuer'],
    [wrapped(new ProblemError('invalid_request', 'is not https')), 'is not https'],
    ['not an error', 'cannot be reached'],
  ])('describes %s', (thrown, description) => {
    expect(describeDiscoveryFailure(thrown, { isListed: false })).toBe(description);
  });

  it('has one message for every failed connection to a listed host', () => {
    const failures = [
      'ENOTFOUND',
      'ECONNREFUSED',
      'ECONNRESET',
      'UND_ERR_SOCKET',
      'CERT_HAS_EXPIRED',
      'EPROTO',
      'OAUTH_TIMEOUT',
    ];
    const messages = failures.map((code) => describeDiscoveryFailure(wrapped(withCode(code)), { isListed: true }));
    expect([...new Set(messages)]).toEqual([expect.stringContaining('cannot be reached: ask the operator')]);
  });
});

describe('findProblemError', () => {
  it('finds a ProblemError among the first eight causes', () => {
    const problem = new ProblemError('invalid_request', 'private');
    expect(findProblemError(wrapped(wrapped(problem)))).toBe(problem);
    let deep: Error = problem;
    for (let depth = 0; depth < 8; depth += 1) deep = wrapped(deep);
    expect(findProblemError(deep)).toBeUndefined();
  });
});
