import { describe, expect, it } from '@jest/globals';
import { InvalidClientDocument, isDocumentId, readClientDocument } from './client-document.ts';

const ID = 'https://app.example.com/oauth/client.json';
const VALID = { client_id: ID, client_name: 'Assistant', redirect_uris: ['http://127.0.0.1/callback'] };

describe('the address of a document', () => {
  it.each([
    ID,
    'https://app.example.com:8443/client',
    'https://app.example.com/client?v=1',
    'http://127.0.0.1:3000/client',
  ])('can be a client id: %s', (id) => {
    expect(isDocumentId(id)).toBe(true);
  });

  it.each([
    'sluice-cli',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/client#x',
    'https://app.example.com/client#',
    'https://ann:x@app.example.com/client',
    'https://@app.example.com/client',
    'https://app.example.com/x/../client',
    'https://app.example.com/./client',
    'https://app.example.com/%2e%2e/client',
    'https://APP.example.com/client',
    'https://app.example.com:443/client',
    'https://bücher.example/client',
    'http://app.example.com/client',
    'ftp://app.example.com/client',
    'javascript:alert(1)',
    'https://',
    '',
    `https://app.example.com/${'x'.repeat(320)}`,
  ])('cannot be a client id: %s', (id) => {
    expect(isDocumentId(id)).toBe(false);
  });
});

describe('a document', () => {
  it('describes a public client by its name, its home page and its addresses only', () => {
    const client = readClientDocument(ID, {
      ...VALID,
      client_uri: 'https://app.example.com',
      logo_uri: 'https://app.example.com/logo.png',
      scope: 'admin',
    });
    expect(client).toEqual({
      id: ID,
      kind: 'document',
      name: 'Assistant',
      homePage: 'https://app.example.com',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: undefined,
    });
  });

  it('without a name has that of its host, and without a usable home page none', () => {
    const { client_name: _name, ...document } = VALID;
    for (const client_uri of [
      undefined,
      'http://app.example.com',
      'javascript:alert(1)',
      'https://known.example@app.example.com/',
      'https://app.example.com\\@known.example',
      7,
    ]) {
      const { name, homePage } = readClientDocument(ID, { ...document, client_uri });
      expect([name, homePage]).toEqual(['app.example.com', undefined]);
    }
  });

  it('loses addresses that no registered program could have', () => {
    const redirect_uris = ['http://localhost/callback', 'http://127.0.0.1/callback', 'https://*.example.com/', 7];
    expect(readClientDocument(ID, { ...VALID, redirect_uris }).redirectUris).toEqual(['http://127.0.0.1/callback']);
  });

  it.each([
    ['no object', 'x', 'JSON object'],
    ['null', null, 'JSON object'],
    ['a list', [VALID], 'JSON object'],
    ['another client id', { ...VALID, client_id: `${ID}/` }, 'client_id'],
    ['no client id', { ...VALID, client_id: undefined }, 'client_id'],
    ['a secret', { ...VALID, client_secret: 'x' }, 'client_secret'],
    ['the end of a secret', { ...VALID, client_secret_expires_at: 0 }, 'client_secret'],
    ['a method with a secret', { ...VALID, token_endpoint_auth_method: 'client_secret_basic' }, 'auth_method'],
    ['a signed assertion', { ...VALID, token_endpoint_auth_method: 'private_key_jwt' }, 'auth_method'],
    ['other grants', { ...VALID, grant_types: ['implicit'] }, 'grant_types'],
    ['other responses', { ...VALID, response_types: ['token'] }, 'response_types'],
    ['no addresses', { ...VALID, redirect_uris: [] }, 'redirect_uris'],
    ['addresses of another type', { ...VALID, redirect_uris: 'https://app.example.com/' }, 'redirect_uris'],
    ['too many addresses', { ...VALID, redirect_uris: Array(21).fill('https://app.example.com/') }, 'redirect_uris'],
    ['unusable addresses', { ...VALID, redirect_uris: ['http://evil.example/'] }, 'redirect_uris'],
    ['a name of another type', { ...VALID, client_name: 7 }, 'client_name'],
    ['a long name', { ...VALID, client_name: 'x'.repeat(101) }, 'client_name'],
    ['a name that turns the text around', { ...VALID, client_name: 'Sluice\u202ecommand' }, 'client_name'],
  ])('is rejected with %s', (_name, document, reason) => {
    expect(() => readClientDocument(ID, document)).toThrow(InvalidClientDocument);
    expect(() => readClientDocument(ID, document)).toThrow(reason);
  });
});
