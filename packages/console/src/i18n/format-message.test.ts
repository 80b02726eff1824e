import { describe, expect, it } from '@jest/globals';
import { formatMessage, type MessageFormats } from './format-message.ts';
import { chooseLanguage } from './language.ts';

const formatsOf = (language: string): MessageFormats => ({
  plural: new Intl.PluralRules(language),
  number: new Intl.NumberFormat(language),
});
const ROWS = { one: '{count} row of {table}', other: '{count} rows of {table}' };

describe('formatMessage', () => {
  it.each([
    [1, '1 row of t'],
    [0, '0 rows of t'],
    [12_345n, '12,345 rows of t'],
  ])('chooses the plural form of %s and writes the number as the language does', (count, expected) => {
    expect(formatMessage(ROWS, { count, table: 't' }, formatsOf('en'))).toBe(expected);
  });

  it('writes numbers as German does', () => {
    expect(formatMessage('{count} Zeilen', { count: 1_234_567 }, formatsOf('de'))).toBe('1.234.567 Zeilen');
  });

  it('inserts a value with braces, dollars and markup as text', () => {
    expect(formatMessage('Open {name}', { name: '{count} $& <b>' }, formatsOf('en'))).toBe('Open {count} $& <b>');
  });

  it('fails when a value is missing', () => {
    expect(() => formatMessage('Open {name}', {}, formatsOf('en'))).toThrow('needs a value for {name}');
  });
});

describe('chooseLanguage', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'DE'], 'de'],
    [['fr-FR'], 'en'],
    [[], 'en'],
  ])('returns for %j the language %s', (preferred, expected) => {
    expect(chooseLanguage(preferred)).toBe(expected);
  });
});
