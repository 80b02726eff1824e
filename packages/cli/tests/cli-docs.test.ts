import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import * as cli from '@sluice/cli';

const DOCS = new URL('../../../docs/', import.meta.url);
/** The formatter aligns the columns of tables. */
const withoutAlignment = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---').trim();

it('docs/cli.md is what `npm run docs:generate` writes', async () => {
  const page = await readFile(new URL('cli.md', DOCS), 'utf8');
  const { cliSections } = (await import(new URL('cli-sections.mjs', DOCS).href)) as {
    cliSections: (declarations: typeof cli) => Readonly<Record<string, string>>;
  };
  const sections = Object.entries(cliSections(cli));
  expect(sections.map(([name]) => name)).toContain('commands');
  for (const [name, text] of sections) {
    const [, committed] = new RegExp(`<!-- table: ${name} -->\n([^]*?)<!-- end -->`).exec(page) ?? [];
    expect({ name, text: withoutAlignment(committed ?? '') }).toEqual({ name, text: withoutAlignment(text) });
  }
});
