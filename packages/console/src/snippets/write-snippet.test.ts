import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { PROGRAMS, quoteJson, quoteShell } from './program.ts';
import { type SnippetInput, writeSnippet } from './write-snippet.ts';

const STRINGS = [
  `it's "quoted" \\ $HOME \`id\` $(id) !`,
  'two\nlines\tand a tab',
  '\u001b]0;title\u0007',
  "\u202e'gnp.exe\\",
  'a\u200b\u2028b\r\n',
  '😀 ä 中',
  "'; rm -rf / #",
  '-n',
];
const INPUT: SnippetInput = {
  sql: 'SELECT 1',
  parameters: {},
  name: 'airports',
  tenant: 'acme',
  apiUrl: 'http://127.0.0.1:8080',
  streamUrl: 'http://127.0.0.1:8081',
  user: 'ann@acme.example',
};
const HIDDEN = /(?![\n\t])[\p{Cc}\u202a-\u202e\u200b\u2028]/u;

describe('quoting', () => {
  it('keeps every string in bash', () => {
    const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${STRINGS.map(quoteShell).join(' ')}`], {
      encoding: 'utf8',
    });
    expect(printed.split('\0').slice(0, -1)).toEqual(STRINGS);
  });

  it('keeps every string in Python', () => {
    const program = `import json; print(json.dumps([${STRINGS.map(quoteJson).join(', ')}]))`;
    expect(JSON.parse(execFileSync('python3', ['-c', program], { encoding: 'utf8' }))).toEqual(STRINGS);
  });

  it('keeps every string in JSON', () => {
    expect(STRINGS.map((text) => JSON.parse(quoteJson(text)))).toEqual(STRINGS);
  });
});

describe('a snippet', () => {
  it.each(PROGRAMS)('for %s has no character that a terminal obeys, and no password', (program) => {
    for (const text of STRINGS) {
      const snippet = writeSnippet(program, {
        ...INPUT,
        sql: text,
        name: text,
        parameters: { word: { type: 'varchar', value: text } },
      });
      expect(snippet).not.toMatch(HIDDEN);
    }
  });

  it.each(['curl', 'python', 'sdk'] as const)('for %s says where users of single sign-on get a token', (program) => {
    expect(writeSnippet(program, INPUT)).toContain(
      'With single sign-on: SLUICE_TOKEN is the access_token of http://127.0.0.1:8080/auth/login/acme.',
    );
  });

  it('for curl names a file that every system takes', () => {
    expect(writeSnippet('curl', { ...INPUT, name: '../a b/é?.csv' })).toContain("-o 'a-b-é-csv.csv'");
    expect(writeSnippet('curl', { ...INPUT, name: '..' })).toContain("-o 'result.csv'");
  });

  it('has the types of the parameters', () => {
    const parameters = { n: { type: 'bigint', value: '9007199254740993' }, day: { type: 'date', value: null } };
    expect(writeSnippet('cli', { ...INPUT, parameters })).toBe(
      "sluice query 'SELECT 1' \\\n  --param 'n:bigint=9007199254740993' \\\n  --param 'day=null'\n",
    );
    const list = { ids: { type: 'array(bigint)', value: ['1', '9007199254740993'] } };
    expect(writeSnippet('cli', { ...INPUT, parameters: list })).toContain(
      `--param 'ids:array(bigint)=["1","9007199254740993"]'`,
    );
    expect(writeSnippet('sdk', { ...INPUT, parameters: list })).toContain(
      `"ids": {"type": "array(bigint)", "value": ["1", "9007199254740993"]}`,
    );
    expect(writeSnippet('curl', { ...INPUT, parameters })).toContain(
      `"parameters": {"n": {"type": "bigint", "value": "9007199254740993"}, "day": {"type": "date", "value": null}}`,
    );
  });
});
