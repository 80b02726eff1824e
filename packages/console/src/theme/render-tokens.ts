/** Content of tokens.json. A theme maps the name of a semantic colour to the name of a primitive. */
export interface Tokens {
  readonly primitives: Readonly<Record<string, string>>;
  readonly scales: Readonly<Record<string, string>>;
  readonly light: Readonly<Record<string, string>>;
  readonly dark: Readonly<Record<string, string>>;
  readonly shadows: Readonly<Record<ThemeName, Readonly<Record<string, string>>>>;
  readonly backdrop: Readonly<Record<ThemeName, string>>;
}

/** Themes that exist as colours. The third choice of a user, `system`, follows the operating system. */
export type ThemeName = 'light' | 'dark';

/**
 * Returns the colour of a semantic name, such as `text-muted`.
 * @throws Error when the theme or the primitive is missing the name
 */
export function colorOf(tokens: Tokens, theme: ThemeName, name: string): string {
  const primitive = tokens[theme][name];
  const color = primitive === undefined ? undefined : tokens.primitives[primitive];
  if (color === undefined) throw new Error(`tokens.json has no colour for "${name}" in the ${theme} theme.`);
  return color;
}

/** Returns tokens.css: custom properties of the scales, and of both themes by the attribute `data-theme` of the root. */
export function renderTokens(tokens: Tokens): string {
  const scales = Object.entries(tokens.scales).map(([name, value]) => `  --${name}: ${value};`);
  return [
    '/* Generated from tokens.json. */',
    block(':root', scales),
    block(':root,\n:root[data-theme="light"]', themeLines(tokens, 'light')),
    block(':root[data-theme="dark"]', themeLines(tokens, 'dark')),
  ].join('\n\n');
}

function themeLines(tokens: Tokens, theme: ThemeName): string[] {
  const colors = Object.keys(tokens[theme]).map((name) => `  --color-${name}: ${colorOf(tokens, theme, name)};`);
  const shadows = Object.entries(tokens.shadows[theme]).map(([name, value]) => `  --shadow-${name}: ${value};`);
  return [`  color-scheme: ${theme};`, ...colors, `  --color-backdrop: ${tokens.backdrop[theme]};`, ...shadows];
}

const block = (selector: string, lines: readonly string[]): string => `${selector} {\n${lines.join('\n')}\n}`;
