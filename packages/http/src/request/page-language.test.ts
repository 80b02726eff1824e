import { expect, it } from '@jest/globals';
import { pageLanguage } from './page-language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, DE;q=0.8', 'de'],
  ['fr, en;q=0.4, de;q=0.3', 'fr'],
  ['es-MX', 'es'],
  ['it, en;q=0.4, de;q=0.3', 'en'],
  ['it', 'en'],
  ['de;q=x,;;q=2', 'de'],
])('for %j is %s', (header, language) => {
  expect(pageLanguage({ get: (name) => (name === 'accept-language' ? header : undefined) })).toBe(language);
});
