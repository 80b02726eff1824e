import type { Page } from 'playwright-core';

const SCRIPTS = ['hacked=1', 'top.hacked=1', "globalThis['hacked']=1", 'import(`data:text/javascript,hacked=1`)'];
/** Ways to run a script from text. */
const WRAPPERS: readonly ((script: string) => string)[] = [
  (script) => `<script>${script}</script>`,
  (script) => `"><img src=x onerror="${script}">`,
  (script) => `<svg onload=${script}>`,
  (script) => `<iframe srcdoc="<script>${script}</script>"></iframe>`,
  (script) => `javascript:${script}`,
  (script) => `</title></style></textarea><script>${script}</script>`,
  (script) => `{{constructor.constructor('${script}')()}}`,
  (script) => `<a href="javascript:${script}">link</a>`,
  (script) => `<style>@import 'data:text/css,${script}'</style>`,
  (script) => `<math><mtext><img src onerror=${script}>`,
];
/** Text that moves or hides what is around it. */
const CONTROLS = [
  '\u202egnp.exe',
  '\u2066a\u2067b\u2069',
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  'a\u0001b',
  'zero\u200bwidth',
  '\ufeffbom',
  'soft\u00adhyphen',
  'line\u2028end',
  'é'.normalize('NFD').repeat(200),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '👩‍👩‍👧‍👦'.repeat(20),
  "'; DROP TABLE items; --",
  '=cmd|calc!A1',
  '%00%0d%0aSet-Cookie:x=1',
  '../../../../etc/passwd',
  '😀'.repeat(1000),
  'x'.repeat(100_000),
  '',
  ' ',
  'null',
  '\\u0000\\n',
];
/** Strings of users that must stay plain text wherever a page shows them. */
export const PAYLOADS = [...WRAPPERS.flatMap((wrap) => SCRIPTS.map(wrap)), ...CONTROLS];

/** Returns the elements and effects that only a payload that ran could have made. */
export const findTraces = (page: Page) =>
  page.evaluate(() => ({
    hacked: Reflect.get(globalThis, 'hacked'),
    // CodeMirror puts images without a source beside the signs of invisible characters. No payload has their class.
    elements: [
      ...document.querySelectorAll(
        'main img[src], main img:not(.cm-widgetBuffer), main script, main iframe, main style, main math',
      ),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200)),
    links: [...document.querySelectorAll('a')].filter(({ href }) => href.startsWith('javascript:')).length,
  }));
/** Result of `findTraces` while every payload is shown as text. */
export const NO_TRACES = { hacked: undefined, elements: [], links: 0 };
