import { escapeHtml } from './escape-html.ts';

/** Colours of the console (packages/console/src/theme/tokens.json), for both themes of the reader. */
export const PAGE_STYLE =
  ':root{color-scheme:light;--canvas:#f8f9fb;--surface:#fff;--border:#dce1e8;--control:#7f8a99;--text:#151a21;--muted:#4b5564;' +
  '--accent:#0a7286;--on-accent:#fff;--danger:#b4261c;--danger-surface:#fdecea}' +
  '@media(prefers-color-scheme:dark){:root{color-scheme:dark;--canvas:#10141a;--surface:#161b22;--border:#2f3844;' +
  '--control:#6f7c8c;--text:#e8ecf1;--muted:#b1bbc8;--accent:#37adc0;--on-accent:#0b0e12;--danger:#ff9c92;--danger-surface:#391a18}}' +
  'body{margin:0;background:var(--canvas);color:var(--text);font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}' +
  'main{box-sizing:border-box;width:min(100% - 2rem,24rem);margin:14vh auto 2rem;padding:2rem;border:1px solid var(--border);' +
  'border-radius:.625rem;background:var(--surface)}' +
  '.mark{display:block;width:2.25rem;height:2.25rem;margin-bottom:1.25rem}.mark rect{fill:var(--accent)}' +
  '.mark path{fill:none;stroke:var(--on-accent);stroke-width:2.5;stroke-linecap:round}' +
  'h1{margin:0 0 1.25rem;font-size:1.25rem;line-height:1.25}p{margin:.75rem 0}' +
  'label{display:block;margin:1rem 0 .375rem;font-size:.8125rem;font-weight:500}' +
  'input{box-sizing:border-box;width:100%;height:2.5rem;padding:0 .75rem;border:1px solid var(--control);border-radius:.375rem;' +
  'background:var(--surface);color:inherit;font:inherit}' +
  'button{width:100%;height:2.5rem;margin-top:1.5rem;border:0;border-radius:.375rem;background:var(--accent);' +
  'color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}' +
  'button.plain{margin-top:.75rem;border:1px solid var(--control);background:none;color:inherit}ul{padding-left:1.25rem}' +
  '.code{font:600 1.5rem/1.5 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.08em;text-align:center}' +
  ':focus-visible{outline:2px solid var(--accent);outline-offset:2px}a{color:var(--accent)}' +
  'h2{font-size:1rem}dt{font-size:.8125rem;color:var(--muted)}dd{margin:0 0 .75rem;overflow-wrap:anywhere}' +
  'code{font-family:ui-monospace,Menlo,Consolas,monospace}' +
  '[role=alert]{padding:.625rem .75rem;border-radius:.375rem;background:var(--danger-surface);color:var(--danger)}' +
  // Fingers need 40 px, and browsers on phones enlarge the page around a field with text below 16 px.
  '@media(pointer:coarse),(max-width:37.5rem){input{font-size:1rem}p>a{display:inline-block;padding:.5625rem 0}}' +
  // A phone on its side shows the form without scrolling.
  '@media(max-height:30rem){main{margin:1rem auto;padding:1rem 1.5rem}.mark{float:left;margin:0 .75rem 0 0}' +
  'h1{min-height:2.25rem;margin-bottom:.5rem}label{margin-top:.5rem}button{margin-top:1rem}}';

/** The mark of the product: a gate above flowing water. */
const MARK =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/>' +
  '<path d="M9 7v18M23 7v18M9 12h14"/><path d="M11.5 18c1.5-1.6 3-1.6 4.5 0s3 1.6 4.5 0M11.5 23c1.5-1.6 3-1.6 4.5 0s3 1.6 4.5 0"/></svg>';

/** The mark as the icon of the browser's tab, in the colours of the light theme. */
const ICON = encodeURIComponent(
  MARK.replace('<svg class="mark"', '<svg xmlns="http://www.w3.org/2000/svg"')
    .replace('<rect', '<rect fill="#0a7286"')
    .replaceAll('<path', '<path fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"'),
);

interface HtmlPage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Language of title and body. */
  readonly language: string;
  /** Further rules of the style sheet. */
  readonly style?: string;
}

/** Returns a page in the appearance of the console, without scripts. Its icon is a `data:` address; it loads nothing else. */
export const htmlPage = ({ title, body, language, style = '' }: HtmlPage): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
<style>${PAGE_STYLE}${style}</style></head>
<body><main>${MARK}<h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
