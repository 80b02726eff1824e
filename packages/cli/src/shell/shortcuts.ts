import { homedir } from 'node:os';
import { ResponseError } from '@sluice/client';
import { visibleText } from '@sluice/contract/visible-text';
import { UsageError } from '../errors.ts';
import { parseQualifiedName, qualifiedName } from '../names/qualified-name.ts';
import { resolveTable, TableNotFoundError } from '../names/resolve-table.ts';
import { RESULT_FORMATS, type ResultFormat } from '../output/format-names.ts';
import { requireDuration } from '../statement/keep-options.ts';
import { readText } from '../statement/read-statement.ts';
import { editText } from '../terminal/edit-text.ts';
import { setParameter } from './set-parameter.ts';
import { createFileOutput, type ShortcutContext } from './shell-state.ts';

interface Shortcut {
  /** Name and its argument, as help shows it. */
  readonly usage: string;
  readonly does: string;
  readonly run: (context: ShortcutContext, argument: string) => Promise<void>;
}

const setSwitch = (argument: string, before: boolean, name: string): boolean => {
  if (argument === '') return !before;
  if (argument !== 'on' && argument !== 'off') throw new UsageError(`Write \\${name}, \\${name} on or \\${name} off.`);
  return argument === 'on';
};

const NAME_FORM = { min: 1, max: 3, form: 'TABLE or CATALOG.SCHEMA.TABLE' };

/** Returns the value, or undefined if the catalog of the API lacks it: the engine may have it. */
async function unlessMissing<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return await value.catch((error: unknown) => {
    const isMissing = error instanceof ResponseError && (error.status === 404 || error.status === 403);
    if (isMissing || error instanceof TableNotFoundError) return undefined;
    throw error;
  });
}

async function readTables({ connect, signal }: ShortcutContext, catalog: string, schema: string) {
  const rows: string[][] = [];
  for await (const table of (await connect()).client.catalog.tables(catalog, schema, { signal }))
    rows.push([table.name, table.type, table.description ?? table.remarks ?? '']);
  return rows;
}

const TABLE_TITLES = ['table', 'type', 'description'];

async function listTables(context: ShortcutContext, argument: string): Promise<void> {
  if (argument !== '') {
    const [catalog = '', schema = ''] = parseQualifiedName(argument, { min: 2, max: 2, form: 'CATALOG.SCHEMA' });
    return await context.printList(TABLE_TITLES, await readTables(context, catalog, schema));
  }
  const { catalog = null, schema = null } = (await context.readDefaults()) ?? {};
  const tables =
    catalog === null || schema === null ? undefined : await unlessMissing(readTables(context, catalog, schema));
  if (tables === undefined) return await context.run('SHOW TABLES');
  await context.printList(TABLE_TITLES, tables);
}

async function listCatalogs({ connect, printList, signal }: ShortcutContext): Promise<void> {
  const rows: (string | number)[][] = [];
  for await (const each of (await connect()).client.catalog.catalogs({ signal }))
    rows.push([each.name, each.schema_count, each.table_count, each.vendor_name]);
  await printList(['catalog', 'schemas', 'tables', 'engine'], rows);
}

async function listSchemas({ connect, printList, signal }: ShortcutContext): Promise<void> {
  const { catalog } = (await connect()).client;
  const rows: (string | number)[][] = [];
  for await (const { name } of catalog.catalogs({ signal }))
    for await (const schema of catalog.schemas(name, { signal }))
      rows.push([qualifiedName([name, schema.name]), schema.table_count]);
  await printList(['schema', 'tables'], rows);
}

async function describe(context: ShortcutContext, argument: string): Promise<void> {
  if (argument === '') return await listTables(context, '');
  const { signal, readDefaults, stderr } = context;
  const { client } = await context.connect();
  const table = await unlessMissing(resolveTable(client, argument, { signal, readDefaults }));
  // Quoted again, so that the text can be no other statement.
  if (table === undefined)
    return await context.run(`DESCRIBE ${qualifiedName(parseQualifiedName(argument, NAME_FORM))}`);
  const text = table.description ?? table.remarks;
  await stderr.write(visibleText(`${table.id} (${table.type})${text === null ? '' : `: ${text}`}\n`));
  await context.printList(
    ['column', 'type', 'description'],
    table.columns.map((each) => [each.name, each.type, each.description ?? '']),
  );
}

/** Returns the path of an argument: quotes around it are dropped, and `~/` is the home folder. */
function toPath(argument: string): string {
  const path = /^(['"])(.+)\1$/.exec(argument)?.[2] ?? argument;
  return path.replace(/^~(?=\/)/, () => homedir());
}

async function includeFile({ takeLines }: ShortcutContext, argument: string): Promise<void> {
  if (argument === '') throw new UsageError('\\i needs the name of a file with statements.');
  const path = toPath(argument);
  await takeLines((await readText(path)).split(/\r?\n/), path);
}

/** Opens the statement that was begun, or else the last one, in an editor. What it returns is run as if it were typed. */
async function editStatement({ state, environment, isInteractive, stderr, take }: ShortcutContext): Promise<void> {
  if (!isInteractive) throw new UsageError('\\e needs a terminal.');
  const last = state.last === undefined ? '' : `${state.last};\n`;
  const before = state.draft === '' ? last : state.draft;
  const text = (await editText(before, environment)).trimEnd();
  if (text === before.trimEnd()) return await stderr.write('The statement was not changed. \\g runs it.\n');
  state.draft = '';
  state.edited = text;
  await stderr.write(visibleText(`${text}\n`));
  await take(text);
}

async function setValue({ state, printList }: ShortcutContext, argument: string): Promise<void> {
  if (argument !== '') return setParameter(state, argument);
  const rows = [...state.parameters].map(([name, { type, text }]) => [`$${name}`, type, text]);
  await printList(['parameter', 'type', 'value'], rows);
}

async function unsetValue({ state }: ShortcutContext, argument: string): Promise<void> {
  if (!state.parameters.delete(argument.replace(/^\$/, '')))
    throw new UsageError(`There is no parameter "${argument}". \\set lists them.`);
}

async function setOutput({ state, stderr }: ShortcutContext, argument: string): Promise<void> {
  const before = state.file;
  state.file = undefined;
  await before?.close();
  if (argument === '') return await stderr.write('Results go to the screen.\n');
  state.file = await createFileOutput(toPath(argument));
  await stderr.write(`Results go to ${state.file.path}. \\o alone ends it.\n`);
}

async function setFormat({ state, stderr }: ShortcutContext, argument: string): Promise<void> {
  if (!(RESULT_FORMATS as readonly string[]).includes(argument))
    throw new UsageError(`\\format needs one of ${RESULT_FORMATS.join(', ')}.`);
  state.format = argument as ResultFormat;
  state.isVertical = false;
  await stderr.write(`The format is ${argument}.\n`);
}

async function setKeep({ state, stderr }: ShortcutContext, argument: string): Promise<void> {
  if (argument !== '') state.keep = argument === 'off' ? undefined : requireDuration('\\keep', argument);
  const text = state.keep === undefined ? 'Results are not kept.' : `Results are kept for ${state.keep}.`;
  await stderr.write(`${text}\n`);
}

async function showHelp({ stderr }: ShortcutContext): Promise<void> {
  const width = Math.max(...Object.values(SHORTCUTS).map(({ usage }) => usage.length));
  const lines = Object.values(SHORTCUTS).map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`);
  await stderr.write(
    `A statement ends with ; and may have many lines. Ctrl-C drops it, or cancels a running one.\n${lines.join('\n')}\n`,
  );
}

/** Shortcuts by name, in the order of help. */
const SHORTCUTS: Readonly<Record<string, Shortcut>> = {
  d: { usage: '\\d [TABLE]', does: 'describe a table, or list tables', run: describe },
  l: { usage: '\\l', does: 'list catalogs', run: listCatalogs },
  dt: { usage: '\\dt [CATALOG.SCHEMA]', does: 'list the tables of the default schema, or of another', run: listTables },
  dn: { usage: '\\dn', does: 'list schemas', run: listSchemas },
  x: {
    usage: '\\x [on|off]',
    does: 'print records, one line a value',
    run: async ({ state, stderr }, argument) => {
      state.isVertical = setSwitch(argument, state.isVertical, 'x');
      await stderr.write(`Records are ${state.isVertical ? 'on' : 'off'}.\n`);
    },
  },
  format: { usage: '\\format FORMAT', does: `print results as ${RESULT_FORMATS.join(', ')}`, run: setFormat },
  o: {
    usage: '\\o [FILE]',
    does: 'write results to a new file, or without a name to the screen again',
    run: setOutput,
  },
  timing: {
    usage: '\\timing [on|off]',
    does: 'show the time of each statement',
    run: async ({ state, stderr }, argument) => {
      state.hasTiming = setSwitch(argument, state.hasTiming, 'timing');
      await stderr.write(`Timing is ${state.hasTiming ? 'on' : 'off'}.\n`);
    },
  },
  keep: {
    usage: '\\keep [TIME|off]',
    does: 'keep the results of later statements on the host, such as for 24h, or say for how long',
    run: setKeep,
  },
  g: {
    usage: '\\g',
    does: 'run the statement that was begun, or else the last one again',
    run: async ({ state, run }) => {
      const begun = state.draft.trim();
      state.draft = '';
      if (begun !== '') return await run(begun);
      if (state.last === undefined) throw new UsageError('No statement has run yet.');
      await run(state.last);
    },
  },
  e: {
    usage: '\\e',
    does: 'edit the statement that was begun, or else the last one, in VISUAL, EDITOR or vi',
    run: editStatement,
  },
  i: { usage: '\\i FILE', does: 'run the statements of a file', run: includeFile },
  set: {
    usage: '\\set [NAME VALUE]',
    does: 'set the parameter $NAME of later statements, also NAME:TYPE VALUE, or list the parameters',
    run: setValue,
  },
  unset: { usage: '\\unset NAME', does: 'remove a parameter', run: unsetValue },
  '?': { usage: '\\?', does: 'show this list, as help does', run: showHelp },
  q: {
    usage: '\\q',
    does: 'leave, as exit, quit and Ctrl-D do',
    run: async ({ state }) => {
      state.isOver = true;
    },
  },
};

/** The list of shortcuts, for the help of `sluice sql`. */
export const SHORTCUT_HELP = Object.values(SHORTCUTS)
  .map(({ usage, does }) => `- \`${usage}\`: ${does}`)
  .join('\n');

/** Words that are shortcuts where no statement was begun, as in psql. */
const WORDS: Readonly<Record<string, string>> = { exit: 'q', quit: 'q', help: '?' };

const wordOf = (line: string): string => line.trim().replace(/\s*;$/, '').toLowerCase();

/** Returns whether a line is one of the words `exit`, `quit` and `help`. */
export const isWord = (line: string): boolean => Object.hasOwn(WORDS, wordOf(line));

/** Returns whether a line begins as a shortcut. */
export const isShortcut = (line: string): boolean => line.trimStart().startsWith('\\');

/**
 * Runs the shortcut of a line.
 * @throws UsageError if there is no such shortcut, or its argument is wrong
 */
export async function runShortcut(context: ShortcutContext, line: string): Promise<void> {
  const [, typed = '', argument = ''] = /^\s*\\(\S*)\s*(.*?)\s*;?\s*$/s.exec(line) ?? [];
  const name = WORDS[wordOf(line)] ?? typed;
  const shortcut = Object.hasOwn(SHORTCUTS, name) ? SHORTCUTS[name] : undefined;
  if (shortcut === undefined) throw new UsageError(`There is no shortcut \\${name}. \\? lists them.`);
  await shortcut.run(context, argument);
}
