import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { isTransient, ResponseTooLarge, TransportTimeout, transportProblem } from './transport-failure.ts';

const failure = (code: string): Error => Object.assign(new Error('connect 10.0.0.7:8080'), { code });

describe('transportProblem', () => {
  it.each([
    ['ECONNREFUSED', /^Trino refuses the connection/],
    ['ENOTFOUND', /cannot be reached/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate of Trino is not trusted/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /cannot agree on TLS/],
    ['HPE_INVALID_CONSTANT', /does not speak HTTP/],
    ['ECONNRESET', /^The connection to Trino was lost\.$/],
  ])('describes %s without an address', (code, message) => {
    const problem = transportProblem(failure(code));
    expect(problem).toMatchObject({ code: 'engine_unavailable', message: expect.stringMatching(message) });
    expect((problem as Error).message).not.toContain('10.0.0.7');
  });

  it('uses the first error if several addresses were tried', () => {
    const failures = new AggregateError([failure('ECONNREFUSED'), failure('ENOTFOUND')], 'all failed');
    expect(transportProblem(failures)).toMatchObject({ message: expect.stringMatching(/refuses/) });
  });

  it('reports a page that is too large as a limit', () => {
    expect(transportProblem(new ResponseTooLarge())).toMatchObject({ code: 'resource_limit' });
  });

  it('returns problems and other errors unchanged', () => {
    for (const other of [new ProblemError('read_only', 'x'), new Error('x'), 'text', undefined]) {
      expect(transportProblem(other)).toBe(other);
    }
  });
});

describe('isTransient', () => {
  it('is true for lost connections and timeouts, and false for failures of configuration', () => {
    const isTransientCode = (code: string): boolean => isTransient(failure(code));
    expect(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN'].every(isTransientCode)).toBe(true);
    expect(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'EPROTO', 'HPE_INVALID_CONSTANT'].some(isTransientCode)).toBe(false);
    expect([isTransient(new TransportTimeout()), isTransient(new ResponseTooLarge())]).toEqual([true, false]);
  });
});
