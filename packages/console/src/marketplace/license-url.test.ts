import { expect, it } from '@jest/globals';
import { licenseUrl } from './license-url.ts';

it.each([
  ['https://creativecommons.org/licenses/by/4.0/', 'https://creativecommons.org/licenses/by/4.0/'],
  [' HTTP://a.example/license ', 'http://a.example/license'],
  ['CC-BY-4.0', undefined],
  ['see https://a.example', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['https:a.example', undefined],
  ['https://', undefined],
  ['//a.example', undefined],
])('the license %j has the address %j', (text, url) => expect(licenseUrl(text)).toBe(url));
