import { expect, it } from '@jest/globals';
import { parseMarkdownTables } from './markdown-table.ts';

it('parses every table of a document with escaped pipes and ignores code fences', () => {
  const text =
    '# A\n\n| a | b |\n| - | - |\n| 1 | x \\| y |\n| 2 | |\n\ntext | no table\n\n| c |\n| --- |\n\n```\n| no |\n| - |\n| table |\n```\n';
  expect(parseMarkdownTables(text)).toEqual([
    [
      { a: '1', b: 'x | y' },
      { a: '2', b: '' },
    ],
    [],
  ]);
});
