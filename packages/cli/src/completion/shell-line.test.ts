import { describe, expect, it } from '@jest/globals';
import { splitShellLine, writeShellWord } from './shell-line.ts';

describe('splitShellLine', () => {
  it.each([
    ['sluice ', [], ''],
    ['sluice cat', [], 'cat'],
    ['A=1 B=2 sluice query -f "a b.sql" --for', ['query', '-f', 'a b.sql'], '--for'],
    ['cat x | sluice query ', ['query'], ''],
    ["sluice query 'SELECT \\", ['query'], 'SELECT \\'],
    ['sluice query "SELECT \\"a\\" \\n', ['query'], 'SELECT "a" \\n'],
    ['sluice query a\\ b\\"c', ['query'], 'a b"c'],
    ['sluice query "" \'\' x', ['query', '', ''], 'x'],
    ['sluice query --format=', ['query'], '--format='],
  ])('splits %s', (line, words, text) => {
    const typed = splitShellLine(line, 'bash');
    expect({ words: typed.words, text: typed.begun.text }).toEqual({ words, text });
  });

  it('reads a backslash in single quotes as the shell does', () => {
    expect(splitShellLine("sluice 'a\\'b", 'fish').begun.text).toBe("a'b");
    expect(splitShellLine("sluice 'a\\'b", 'bash').begun.text).toBe('a\\b');
  });
});

describe('writeShellWord', () => {
  it.each([
    ['sluice sho', 'shop.', 'shop.'],
    ['sluice shop.', 'shop."Odd name"', 'shop.\\"Odd\\ name\\"'],
    ["sluice 'shop.", 'shop."O\'Neill"', "'shop.\"O'\\''Neill\""],
    ['sluice "shop.', 'shop."a$b"', '"shop.\\"a\\$b\\"'],
    ['sluice shop."Od', 'shop."Odd name"', 'shop."\\"Odd name\\"'],
    ['sluice shop.odd', 'shop."Odd name"', 'shop.\\"Odd\\ name\\"'],
    ['sluice ', 'größe', 'größe'],
  ])('%s becomes %s', (line, word, expected) => {
    expect(writeShellWord(splitShellLine(line, 'bash').begun, word)).toBe(expected);
  });
});
