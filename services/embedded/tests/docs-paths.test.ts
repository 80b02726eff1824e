import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const LINK = /\]\((?!https?:|mailto:|#)(?<target>[^)#\s]+)/g;
/** A path in code style. A placeholder (`<subject>`, `...`, `*`) or "(new)" after it marks a path that need not exist. */
const PATH = /`(?<target>(?:packages|services|docs|deploy|\.ci)\/[^`\s<>*{}]+)`(?! \(new\))/g;

const pages = async (): Promise<readonly string[]> => {
  const inFolder = async (folder: string) =>
    (await readdir(join(ROOT, folder))).filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
  return ['README.md', 'CONTRIBUTING.md', ...(await inFolder('docs')), ...(await inFolder('docs/adr'))];
};

const targetsOf = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(({ groups }) => groups?.['target'] ?? '').filter((path) => !path.includes('...'));

const isMissing = (path: string): Promise<boolean> =>
  access(join(ROOT, path)).then(
    () => false,
    () => true,
  );

it('every file that the documentation names or links exists', async () => {
  const missing: string[] = [];
  let count = 0;
  for (const page of await pages()) {
    const text = await readFile(join(ROOT, page), 'utf8');
    const targets = [...targetsOf(text, LINK).map((link) => join(dirname(page), link)), ...targetsOf(text, PATH)];
    count += targets.length;
    for (const target of targets) if (await isMissing(target)) missing.push(`${page}: ${target}`);
  }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
