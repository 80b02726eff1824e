import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MESSAGE_PARTS, partOf } from './message-parts.ts';
import english from './messages.en.ts';

const KEYS = Object.keys(english);
const ROUTES = new URL('../routes.tsx', import.meta.url);
const PAGE = /import\('(\.\/pages\/[\w-]+\.tsx)'\)\)\.(\w+)((?:, '\w+')*)\)/g;
const STATIC_IMPORT = /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+\.tsx?)';/gm;
const DYNAMIC_IMPORT = /\bimport\('(\.[^']+\.tsx?)'\)/g;

const read = (file: URL): string => readFileSync(file, 'utf8');

/** Adds a module, and every module that it imports at once or later, except the pages. */
function addModules(file: URL, found: Map<string, string>): Map<string, string> {
  if (found.has(file.href)) return found;
  const text = read(file);
  found.set(file.href, text);
  const patterns = file.href === ROUTES.href ? [STATIC_IMPORT] : [STATIC_IMPORT, DYNAMIC_IMPORT];
  for (const pattern of patterns)
    for (const [, path = ''] of text.matchAll(pattern)) addModules(new URL(path, file), found);
  return found;
}

/** Returns the parts of all messages that a module and its imports name, in full or by their beginning. */
function partsNeeded(file: URL): string[] {
  const beginnings = [...addModules(file, new Map()).values()].flatMap((text) =>
    [...text.matchAll(/['`]([a-z]+\.[^'`$\s]*)/g)].map(([, beginning = '']) => beginning),
  );
  const known = [...new Set(beginnings)].filter((beginning) => KEYS.some((key) => key.startsWith(beginning)));
  return [...new Set(known.map(partOf))].filter((part) => part !== 'base').sort();
}

describe('the parts of the catalogs', () => {
  it('have all messages, each in one part', () => {
    expect([...new Set(KEYS.map(partOf))].sort()).toEqual([...MESSAGE_PARTS].sort());
  });

  it('are not needed before a page is shown', () => {
    expect(partsNeeded(new URL('../main.tsx', import.meta.url))).toEqual([]);
  });

  it('are loaded with exactly the pages that need them', () => {
    const pages = [...read(ROUTES).matchAll(PAGE)];
    expect(pages.length).toBeGreaterThan(10);
    for (const [, path = '', name, parts = ''] of pages) {
      const loaded = [...parts.matchAll(/\w+/g)].map(([part]) => part).sort();
      expect([name, loaded]).toEqual([name, partsNeeded(new URL(path, ROUTES))]);
    }
  });
});
