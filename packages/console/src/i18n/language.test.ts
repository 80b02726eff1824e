import { describe, expect, it } from '@jest/globals';
import { chooseLanguage, chooseLocale } from './language.ts';

describe('chooseLanguage', () => {
  it('takes the first language that has a catalog', () => {
    expect(chooseLanguage(['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(chooseLanguage(['fr'])).toBe('en');
  });
});

describe('chooseLocale', () => {
  it.each([
    ['en', ['en-GB', 'en'], 'en-GB'],
    ['de', ['en-US', 'de-CH'], 'de-CH'],
    ['en', ['de-DE', 'de'], 'en-DE'],
    ['en', ['fr'], 'en'],
    ['de', [], 'de'],
  ] as const)('writes dates in %s for a browser with %j as in %s', (language, preferred, locale) => {
    expect(chooseLocale(language, preferred)).toBe(locale);
  });
});
