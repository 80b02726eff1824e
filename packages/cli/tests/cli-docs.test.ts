import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import * as cli from '@sluice/cli';

const DOCS = new URL('../../../docs/', import.meta.url);
/** The formatter aligns the columns of tables. */
const withoutAlignment = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---').trim();

const COMMAND_NAMES = new Set(cli.COMMANDS.map(({ name }) => name));

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

it.each([
  'api-guide',
  'start/auditor',
  'start/data-consumer',
  'start/data-engineer',
  'start/data-steward',
  'start/operator',
])('docs/%s.md names commands that exist', async (page) => {
  const text = await readFile(new URL(`${page}.md`, DOCS), 'utf8');
  const called = [...text.matchAll(/(?<=`|^)sluice ([a-z]+)(?: ([a-z]+)\b)?/gm)].map(([, first = '', second = '']) =>
    COMMAND_NAMES.has(first) && !COMMAND_NAMES.has(`${first} ${second}`) ? first : `${first} ${second}`.trim(),
  );
  expect(called.length).toBeGreaterThan(0);
  expect(called.filter((name) => !COMMAND_NAMES.has(name))).toEqual([]);
});

// Scripts use them: a line that changes is a change for users, and belongs into CHANGELOG.md. `npm run docs:generate` writes the file.
it('the commands have the names, arguments and options of command-tree.txt', async () => {
  const committed = await readFile(new URL('command-tree.txt', import.meta.url), 'utf8');
  expect((await generator()).commandTree(cli).split('\n')).toEqual(committed.split('\n'));
});
