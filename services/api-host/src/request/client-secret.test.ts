import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readClientSecret } from './client-secret.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const codeOf = (...input: Parameters<typeof readClientSecret>): unknown => {
  try {
    return readClientSecret(...input);
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
};

describe('readClientSecret', () => {
  it('reads the credential of the form', () => {
    expect(readClientSecret({ client_id: 'etl', client_secret: 's' }, undefined)).toEqual({
      clientId: 'etl',
      clientSecret: 's',
    });
  });

  it('decodes both parts of HTTP Basic as form data', () => {
    expect(readClientSecret({}, basic('a%3Ab:x+y%2B'))).toEqual({ clientId: 'a:b', clientSecret: 'x y+' });
  });

  it('returns every name and secret that a client form-encodes', () => {
    const text = fc.string({ minLength: 1 }).filter((each) => each.isWellFormed());
    fc.assert(
      fc.property(text, text, (clientId, clientSecret) => {
        const header = basic(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
        expect(readClientSecret({ client_id: clientId }, header)).toEqual({ clientId, clientSecret });
      }),
    );
  });

  it('uses a part that is not form-encoded unchanged', () => {
    expect(readClientSecret({}, basic('etl:100%'))).toEqual({ clientId: 'etl', clientSecret: '100%' });
  });

  it('rejects a secret that is sent in both ways', () => {
    expect(codeOf({ client_id: 'etl', client_secret: 's' }, basic('etl:s'))).toBe('invalid_request');
  });

  it.each([
    ['no credential', {}, undefined],
    ['a form without a secret', { client_id: 'etl' }, undefined],
    ['a form with an empty secret', { client_id: 'etl', client_secret: '' }, undefined],
    ['another scheme', {}, 'Bearer abc'],
    ['two client ids', { client_id: 'other' }, basic('etl:s')],
  ])('rejects %s with invalid_client', (_name, body, authorization) => {
    expect(codeOf(body, authorization)).toBe('invalid_client');
  });
});
