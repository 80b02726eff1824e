import { describe, expect, it } from '@jest/globals';
import { colorOf, type ThemeName, type Tokens } from './render-tokens.ts';
import tokens from './tokens.json' with { type: 'json' };

const THEMES: readonly ThemeName[] = ['light', 'dark'];
const SURFACES = ['canvas', 'surface', 'surface-raised', 'surface-sunken', 'surface-hover', 'surface-pressed'];
const TEXTS = ['text', 'text-muted', 'accent-text', 'danger-text'];

/** Pairs of foreground and background that components use, and their least contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...SURFACES.flatMap((surface) => TEXTS.map((text) => [text, surface, 4.5] as const)),
  ...['canvas', 'surface', 'surface-raised', 'surface-sunken'].map((on) => ['text-subtle', on, 4.5] as const),
  ...['code-keyword', 'code-string', 'code-number', 'code-comment', 'code-name', 'code-operator'].map(
    (code) => [code, 'surface', 4.5] as const,
  ),
  ...['danger', 'warning', 'success', 'info'].map((tone) => [`${tone}-text`, `${tone}-surface`, 4.5] as const),
  ...['danger', 'warning', 'success', 'info'].map((tone) => ['text', `${tone}-surface`, 4.5] as const),
  ['text', 'surface-selected', 4.5],
  ['text-on-selected', 'surface-selected', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-danger', 'danger', 4.5],
  ['on-danger', 'danger-hover', 4.5],
  ...SURFACES.map((surface) => ['focus', surface, 3] as const),
  ...['canvas', 'surface', 'surface-raised', 'surface-sunken'].map((on) => ['border-control', on, 3] as const),
  ...[1, 2, 3, 4, 5, 6].map((series) => [`series-${series}`, 'surface', 3] as const),
];

/** Relative luminance of `#rrggbb` (WCAG 2.2, definitions). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const typed: Tokens = tokens;

describe('theme tokens', () => {
  it.each(THEMES)('every pair of colours has enough contrast in the %s theme', (theme) => {
    const failures = PAIRS.map(([text, surface, least]) => {
      const contrast = contrastOf(colorOf(typed, theme, text), colorOf(typed, theme, surface));
      return { text, surface, least, contrast };
    }).filter(({ contrast, least }) => contrast < least);
    expect(failures).toEqual([]);
  });

  it('both themes define the same colours, and every primitive is used', () => {
    expect(Object.keys(tokens.dark)).toEqual(Object.keys(tokens.light));
    const used = new Set([...Object.values(tokens.light), ...Object.values(tokens.dark)]);
    expect(Object.keys(tokens.primitives).filter((name) => !used.has(name))).toEqual([]);
  });
});
