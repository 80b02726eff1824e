import { describe, expect, it } from '@jest/globals';
import { createTranslate, formatMessage, type MessageFormats } from './format-message.ts';
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

  it('returns nothing when a value is missing', () => {
    expect(formatMessage('Open {name}', {}, formatsOf('en'))).toBeUndefined();
  });
});

describe('the translation', () => {
  const t = createTranslate({ 'commands.go-to': 'Go to {page}', 'action.save': 'Save' }, formatsOf('en'));

  it('inserts the values', () => {
    expect(t('commands.go-to', { page: 'Query' })).toBe('Go to Query');
    expect(t('action.save')).toBe('Save');
  });

  it('shows the key when a value or the message is missing', () => {
    // @ts-expect-error The message needs a value.
    expect(t('commands.go-to')).toBe('commands.go-to');
    // @ts-expect-error A code that a newer host sends.
    expect(t('error.new_code')).toBe('error.new_code');
  });

  it('does not compile with another placeholder', () => {
    // @ts-expect-error The placeholder is `page`.
    expect(t('commands.go-to', { pages: 'Query' })).toBe('commands.go-to');
    // @ts-expect-error The message has no placeholder.
    expect(t('action.save', { page: 'Query' })).toBe('Save');
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
