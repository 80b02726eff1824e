import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import * as cli from '@sluice/cli';

const DOCS = new URL('../../../docs/', import.meta.url);
/** The formatter aligns the columns of tables. */
const withoutAlignment = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---').trim();

interface Generator {
  readonly cliSections: (declarations: typeof cli) => Readonly<Record<string, string>>;
  readonly commandTree: (declarations: typeof cli) => string;
}
const generator = async (): Promise<Generator> => (await import(new URL('cli-sections.mjs', DOCS).href)) as Generator;

it('docs/cli.md is what `npm run docs:generate` writes', async () => {
  const page = await readFile(new URL('cli.md', DOCS), 'utf8');
  const sections = Object.entries((await generator()).cliSections(cli));
  expect(sections.map(([name]) => name)).toContain('commands');
  for (const [name, text] of sections) {
    const [, committed] = new RegExp(`<!-- table: ${name} -->\n([^]*?)<!-- end -->`).exec(page) ?? [];
    expect({ name, text: withoutAlignment(committed ?? '') }).toEqual({ name, text: withoutAlignment(text) });
  }
});

// Scripts use them: a line that changes is a change for users, and belongs into CHANGELOG.md. `npm run docs:generate` writes the file.
it('the commands have the names, arguments and options of command-tree.txt', async () => {
  const committed = await readFile(new URL('command-tree.txt', import.meta.url), 'utf8');
  expect((await generator()).commandTree(cli).split('\n')).toEqual(committed.split('\n'));
});
