import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** Style sheets and components outside of this folder, relative to src. */
const SOURCES = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.css', '*.ts', '*.tsx', ':!*.test.ts', ':!theme/*'],
  { cwd: new URL('../', import.meta.url), encoding: 'utf8' },
)
  .trim()
  .split('\n');

const FORBIDDEN = [
  /#[0-9a-f]{3,8}\b(?=[\s;,)'"])/i,
  /\b(?:rgb|rgba|hsl|hsla|oklch|oklab|lch|lab|color-mix)\(/i,
  /\bfont-family:(?!\s*var\()/,
  /\bfont-size:(?!\s*(?:var\(|inherit))/,
  /[:\s]\d+px\b/,
];

describe('colours, fonts and sizes in pixels', () => {
  it('are in tokens.json only', () => {
    const found = SOURCES.flatMap((path) =>
      readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          FORBIDDEN.some((pattern) => pattern.test(line)) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
    expect(found).toEqual([]);
  });
});
