// Checks that a folder of packages/console/src uses the CSS classes of its own style sheets only, and that code finds elements by refs
// and data attributes, never by a class or an ARIA attribute: what a page looks like may change without a change of what it does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = 'packages/console/src';
/** Folders whose classes every folder may use. */
const SHARED = new Set(['theme']);
/** Classes of libraries, which their elements have themselves. */
const OF_LIBRARIES = /^cm-/;

const CLASS_NAME = /class(?:Name)?=(?:"([^"]*)"|\{([^}]*)\})/g;
const LITERAL = /'([^']*)'|"([^"]*)"|`([^`]*)`/g;
const SELECTOR = /([^{};]+)\{/g;
const HOOK = /(?:querySelector(?:All)?|closest|matches)(?:<[^>]*>)?\(\s*['"`]([^'"`]*)['"`]/g;
const BAD_HOOK = /\.[a-z]|\[(?:role|aria-)/;

const folderOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');

function readFiles() {
  return readdirSync(ROOT, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:\.css|(?<!\.test)\.tsx?)$/.test(path))
    .map((path) => ({ path, folder: folderOf(path), text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Returns the classes that an element of the file has. */
const classesIn = (text) =>
  [...text.matchAll(CLASS_NAME)].flatMap(([, plain, code]) =>
    (plain ?? [...code.matchAll(LITERAL)].map(([, ...texts]) => texts.join('')).join(' '))
      .replaceAll(/\$\{[^}]*\}/g, '')
      .split(/\s+/)
      .filter((name) => /^[a-z][\w-]*$/.test(name)),
  );

const classesOfSelectors = (text) =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(SELECTOR)].flatMap(([, selector]) =>
    [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name),
  );

function owners(files, classes) {
  const found = new Map();
  for (const { folder, text } of files)
    for (const name of classes(text)) found.set(name, (found.get(name) ?? new Set()).add(folder));
  return found;
}

/** Returns one sentence for each style sheet that no file imports. */
const unusedSheets = (sheets, code) =>
  sheets
    .filter(({ path }) => !code.some(({ text }) => text.includes(`/${path.slice(path.lastIndexOf('/') + 1)}';`)))
    .map(({ path }) => `${ROOT}/${path} is not imported.`);

/** Returns one sentence for each use of a class of another folder, and for each element that code finds by its looks. */
export function findForeignClasses() {
  const files = readFiles();
  const sheets = files.filter(({ path }) => path.endsWith('.css'));
  const code = files.filter(({ path }) => !path.endsWith('.css'));
  const styledIn = owners(sheets, classesOfSelectors);
  const usedIn = owners(code, classesIn);
  const isForeign = (folders, folder) =>
    folders !== undefined && !folders.has(folder) && ![...folders].some((each) => SHARED.has(each));
  return [
    ...unusedSheets(sheets, code),
    ...code.flatMap(({ path, folder, text }) =>
      [...new Set(classesIn(text))]
        .filter((name) => isForeign(styledIn.get(name), folder))
        .map((name) => `${ROOT}/${path} uses the CSS class "${name}" of another folder. Use a component of ui.`),
    ),
    ...sheets.flatMap(({ path, folder, text }) =>
      [...new Set(classesOfSelectors(text))]
        .filter((name) => !SHARED.has(folder) && !OF_LIBRARIES.test(name) && isForeign(usedIn.get(name), folder))
        .map((name) => `${ROOT}/${path} styles the CSS class "${name}" of another folder.`),
    ),
    ...code.flatMap(({ path, text }) =>
      [...text.matchAll(HOOK)]
        .filter(([, selector]) => BAD_HOOK.test(selector))
        .map(([, selector]) => `${ROOT}/${path} finds an element by "${selector}". Use a ref or a data attribute.`),
    ),
  ];
}
