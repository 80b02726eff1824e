import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Message } from './catalog.ts';
import german from './messages.de.ts';
import english from './messages.en.ts';

const SOURCES = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', ':!*.test.ts', ':!i18n/messages.*.ts'],
  { cwd: new URL('../', import.meta.url), encoding: 'utf8' },
)
  .trim()
  .split('\n');
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const placeholdersOf = (message: Message): string[] =>
  [...new Set(formsOf(message).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

const KEY_STYLE = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Phrases that standard words have replaced: Reload, Someone else, permanently, continues, ID. */
const REPLACED = /Load again|Read again|[Ss]omebody else|for good|\bgoes on\b|(?:Request|Query|Client|Record) id\b/;

/** Text between tags that has letters, and attributes that a user reads, written as literals. */
const VISIBLE_TEXT = [
  />\s*[^<>{}=;()]*\p{L}{2,}[^<>{}=;()]*\s*<\//u,
  /\b(?:title|label|placeholder|alt|aria-label|aria-description|aria-roledescription)="[^"]*\p{L}/u,
];

describe('the message catalogs', () => {
  it('have the same keys, sorted', () => {
    expect(Object.keys(english)).toEqual(Object.keys(english).sort());
    expect(Object.keys(german)).toEqual(Object.keys(english));
  });

  it('have keys of words in lower case with hyphens, except a last part that is a value of the code', () => {
    const sources = SOURCES.map(read).join('\n');
    const others = Object.keys(english).filter((key) => !KEY_STYLE.test(key) && !isBuilt(key, sources));
    expect(others).toEqual([]);
  });

  it('have the same placeholders and none is empty', () => {
    const catalogs = [english, german] as readonly Readonly<Record<string, Message>>[];
    const [first = {}, second = {}] = catalogs;
    for (const key of Object.keys(first)) {
      expect([key, placeholdersOf(second[key] ?? '')]).toEqual([key, placeholdersOf(first[key] ?? '')]);
      for (const form of [...formsOf(first[key] ?? ''), ...formsOf(second[key] ?? '')])
        expect([key, form.trim()]).not.toEqual([key, '']);
    }
  });

  it('use none of the phrases that were replaced', () => {
    const texts = Object.values(english as Readonly<Record<string, Message>>).flatMap(formsOf);
    expect(texts.filter((text) => REPLACED.test(text))).toEqual([]);
  });

  it('have only keys that a source names', () => {
    const sources = SOURCES.map(read).join('\n');
    expect(Object.keys(english).filter((key) => !sources.includes(`'${key}'`) && !isBuilt(key, sources))).toEqual([]);
  });

  it('hold all visible text: no component has a literal', () => {
    const literals = SOURCES.filter((path) => path.endsWith('.tsx')).flatMap((path) =>
      VISIBLE_TEXT.flatMap((pattern) => pattern.exec(read(path))?.[0] ?? []).map((found) => `${path}: ${found}`),
    );
    expect(literals).toEqual([]);
  });
});

/** Checks whether a source builds the key from its beginning: `error.${code}`. */
const isBuilt = (key: string, sources: string): boolean => {
  const parts = key.split('.');
  return parts.some((_part, index) => index > 0 && sources.includes(`\`${parts.slice(0, index).join('.')}.\${`));
};
