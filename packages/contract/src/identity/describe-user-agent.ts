/** Browser or program and its system, as far as a User-Agent header names them. */
export interface NamedDevice {
  readonly name: string | null;
  readonly system: string | null;
}

type Patterns = readonly (readonly [name: string, pattern: RegExp])[];

/** Listed in this order: a browser also names those with which it is compatible. */
const BROWSERS: Patterns = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

/** Listed in this order: Android names Linux, and an iPhone names Mac OS X. */
const SYSTEMS: Patterns = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
];

const NAME_CHARACTERS_MAX = 40;

/** First product of the header, such as `curl` of `curl/8.5.0` (RFC 9110 section 10.1.5). `Mozilla` says nothing. */
const PRODUCT = /^(?!Mozilla\b)[^\s/]+/;

const findIn = (patterns: Patterns, text: string): string | null =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** Returns the browser or program and the system of a User-Agent header. Anyone can send any header, so they are hints for its sender. */
export const describeUserAgent = (userAgent: string | null): NamedDevice => {
  if (userAgent === null) return { name: null, system: null };
  const product = PRODUCT.exec(userAgent)?.[0].slice(0, NAME_CHARACTERS_MAX).toWellFormed() ?? null;
  return { name: findIn(BROWSERS, userAgent) ?? product, system: findIn(SYSTEMS, userAgent) };
};
