import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { ITEM_PROGRAMS, type ItemSnippetInput, writeItemSnippet } from './item-snippets.ts';

const INPUT: ItemSnippetInput = {
  id: 'sales',
  format: 'csv',
  extension: 'csv',
  parameters: {},
  tenant: 'acme',
  apiUrl: 'https://api.example',
  streamUrl: 'https://stream.example',
  user: 'ann@acme.example',
};
const HOSTILE = `a'b"c\`d$(e)\\f\n\u202eg😀`;
const hostile = (program: 'cli' | 'curl' | 'python' | 'sdk'): string =>
  writeItemSnippet(program, { ...INPUT, user: HOSTILE, parameters: { p: HOSTILE } });

describe('a snippet of an item', () => {
  it('names the item, the format and the values', () => {
    const given = { ...INPUT, parameters: { region: 'EU' } };
    expect(writeItemSnippet('cli', given)).toBe(
      'sluice market download sales --format csv --param region=EU -o sales.csv',
    );
    expect(writeItemSnippet('curl', given)).toBe(
      "curl -fsS -u ann@acme.example 'https://stream.example/marketplace/sales/download/csv?p.region=EU' -o sales.csv",
    );
    expect(writeItemSnippet('sdk', given)).toContain(
      '{ itemId: "sales", format: "csv", parameters: { region: "EU" } }',
    );
  });

  it.each(['cli', 'curl'] as const)('gives hostile values to bash as they are (%s)', (program) => {
    // The program is replaced by one that prints its arguments.
    const script = hostile(program).replace(/^(curl|sluice)/, String.raw`printf '%s\0'`);
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(printed).toContain(program === 'cli' ? `p=${HOSTILE}` : HOSTILE);
  });

  it('gives hostile values to Python as they are, and is a valid program', () => {
    const program =
      'import ast, json, sys\ntree = ast.parse(sys.stdin.read())\nprint(json.dumps([n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]))';
    const printed = execFileSync('python3', ['-c', program], { input: hostile('python'), encoding: 'utf8' });
    expect(JSON.parse(printed)).toContain(HOSTILE);
  });

  it('gives hostile values to JavaScript as they are', () => {
    const literal = /parameters: \{ p: (".*") \}/.exec(hostile('sdk'))?.[1] ?? '';
    expect(JSON.parse(literal)).toBe(HOSTILE);
  });

  it.each(ITEM_PROGRAMS)('has no password and no hidden character (%s)', (program) => {
    expect(writeItemSnippet(program, INPUT)).not.toMatch(/password[:=]\s*["']/i);
    expect(hostile(program)).not.toMatch(/\u202e/);
  });
});
