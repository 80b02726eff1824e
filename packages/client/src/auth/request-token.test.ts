import { expect, it } from '@jest/globals';
import { createClient } from '../client.ts';

const URLS = { tenant: 'acme', streamUrl: 'http://127.0.0.1:1', apiUrl: 'http://127.0.0.1:1' };

it.each([
  [undefined],
  [null],
  ['token'],
  [{}],
  [{ email: 'ann@acme.example' }],
  [{ clientId: 'etl', clientSecret: '' }],
])('createClient names the forms of auth when it gets %j', (auth) => {
  expect(() => createClient({ ...URLS, auth: auth as never })).toThrow(/^auth must have email and password, /);
});
