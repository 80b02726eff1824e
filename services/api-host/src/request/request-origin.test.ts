import { describe, expect, it } from '@jest/globals';
import { requestOrigin, requireOwnOrigin } from './request-origin.ts';

describe('requestOrigin', () => {
  it('picks the fields of the client, without a missing user agent', () => {
    const request = { address: '192.0.2.1', requestId: 'r', userAgent: undefined, tenant: 'acme' };
    expect(requestOrigin(request)).toEqual({ address: '192.0.2.1', requestId: 'r' });
    expect(requestOrigin({ ...request, userAgent: 'curl' })).toHaveProperty('userAgent', 'curl');
  });
});

describe('requireOwnOrigin', () => {
  const baseUrl = 'https://api.example.com';

  it('accepts requests of our own pages', () => {
    expect(() => requireOwnOrigin({ origin: baseUrl, baseUrl })).not.toThrow();
  });

  it.each([[undefined], ['null'], ['http://api.example.com'], ['https://api.example.com:8443']])(
    'rejects the Origin header %p',
    (origin) => {
      expect(() => requireOwnOrigin({ origin, baseUrl })).toThrow(expect.objectContaining({ code: 'access_denied' }));
    },
  );
});
