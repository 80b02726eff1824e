import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { type ItemSnippetInput, writeItemSnippet } from './item-snippets.ts';
import { PROGRAMS, type Program } from './program.ts';

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
const hostile = (program: Program): string =>
  writeItemSnippet(program, { ...INPUT, id: HOSTILE, user: HOSTILE, parameters: { p: HOSTILE } });

describe('a snippet of an item', () => {
  it('names the item, the format and the values', () => {
    const given = { ...INPUT, parameters: { region: 'EU' } };
    expect(writeItemSnippet('cli', given)).toBe(
      'sluice market download sales --format csv --param region=EU -o sales.csv\n',
    );
    expect(writeItemSnippet('curl', given)).toBe(
      [
        '# With single sign-on: SLUICE_TOKEN is the access_token of https://api.example/auth/login/acme. Without it, curl asks for your password.',
        "SLUICE_USER='ann@acme.example'",
        `curl -sS --fail-with-body "\${SLUICE_TOKEN:+-Hauthorization: Bearer }\${SLUICE_TOKEN:--u$SLUICE_USER}" \\`,
        '  -o sales.csv \\',
        "  'https://stream.example/marketplace/sales/download/csv?p.region=EU'",
        '',
      ].join('\n'),
    );
    expect(writeItemSnippet('sdk', given)).toContain(
      '{ itemId: "sales", format: "csv", parameters: { region: "EU" } }',
    );
  });

  it('has a list as each program writes one', () => {
    const given = { ...INPUT, parameters: { codes: ['SFO', 'it"s'] } };
    expect(writeItemSnippet('cli', given)).toContain(`--param 'codes=["SFO","it\\"s"]' -o sales.csv`);
    expect(writeItemSnippet('curl', given)).toContain('?p.codes=SFO&p.codes=it%22s');
    expect(writeItemSnippet('sdk', given)).toContain('parameters: { codes: ["SFO", "it\\"s"] }');
  });

  it.each(['cli', 'curl'] as const)('gives hostile values to bash as they are (%s)', (program) => {
    // The program is replaced by one that prints its arguments.
    const script = hostile(program).replace(/^(curl|sluice)/m, String.raw`printf '%s\0'`);
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(printed).toContain(`${HOSTILE}.csv`);
    expect(printed).toContain(program === 'cli' ? `p=${HOSTILE}` : `-u${HOSTILE}`);
  });

  it('gives hostile values to Python as they are, and is a valid program', () => {
    const program =
      'import ast, json, sys\ntree = ast.parse(sys.stdin.read())\nprint(json.dumps([n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]))';
    const printed = execFileSync('python3', ['-c', program], { input: hostile('python'), encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(expect.arrayContaining([HOSTILE, `${HOSTILE}.csv`]));
  });

  it('gives hostile values to JavaScript as they are', () => {
    const literal = /parameters: \{ p: (".*") \}/.exec(hostile('sdk'))?.[1] ?? '';
    expect(JSON.parse(literal)).toBe(HOSTILE);
  });

  it.each(PROGRAMS)('has no password and no hidden character (%s)', (program) => {
    expect(writeItemSnippet(program, INPUT)).not.toMatch(/password[:=]\s*["']/i);
    expect(hostile(program)).not.toMatch(/\u202e/);
  });
});
