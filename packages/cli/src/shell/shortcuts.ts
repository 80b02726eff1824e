import { UsageError } from '../errors.ts';
import { parseQualifiedName, qualifiedName } from '../names/qualified-name.ts';
import { RESULT_FORMATS, type ResultFormat } from '../output/format-names.ts';
import { formatCount } from '../output/quantity.ts';
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

/** Lists tables; the engine knows its default schema. */
async function listTables({ run, connect, printTable, signal }: ShortcutContext, argument: string): Promise<void> {
  if (argument === '') return await run('SHOW TABLES');
  const [catalog = '', schema = ''] = parseQualifiedName(argument, { min: 2, max: 2, form: 'CATALOG.SCHEMA' });
  const rows: string[][] = [];
  for await (const table of (await connect()).client.catalog.tables(catalog, schema, { signal }))
    rows.push([table.name, table.type, table.description ?? '']);
  await printTable(['table', 'type', 'description'], rows);
}

async function listSchemas({ connect, printTable, signal }: ShortcutContext): Promise<void> {
  const { catalog } = (await connect()).client;
  const rows: string[][] = [];
  for await (const { name } of catalog.catalogs({ signal }))
    for await (const schema of catalog.schemas(name, { signal }))
      rows.push([qualifiedName([name, schema.name]), formatCount(schema.table_count)]);
  await printTable(['schema', 'tables'], rows);
}

async function describe(context: ShortcutContext, argument: string): Promise<void> {
  if (argument === '') return await listTables(context, '');
  // Quoted again, so that the text can be no other statement.
  await context.run(`DESCRIBE ${qualifiedName(parseQualifiedName(argument, NAME_FORM))}`);
}

async function setOutput({ state, stderr }: ShortcutContext, argument: string): Promise<void> {
  const before = state.file;
  state.file = undefined;
  await before?.close();
  if (argument === '') return await stderr.write('Results go to the screen.\n');
  state.file = await createFileOutput(argument);
  await stderr.write(`Results go to ${argument}. \\o alone ends it.\n`);
}

async function setFormat({ state, stderr }: ShortcutContext, argument: string): Promise<void> {
  if (!(RESULT_FORMATS as readonly string[]).includes(argument))
    throw new UsageError(`\\format needs one of ${RESULT_FORMATS.join(', ')}.`);
  state.format = argument as ResultFormat;
  state.isVertical = false;
  await stderr.write(`The format is ${argument}.\n`);
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
  '?': { usage: '\\?', does: 'show this list', run: showHelp },
  q: {
    usage: '\\q',
    does: 'leave, as Ctrl-D does',
    run: async ({ state }) => {
      state.isOver = true;
    },
  },
};

/** The list of shortcuts in one paragraph, for the help of `sluice sql`. */
export const SHORTCUT_HELP = Object.values(SHORTCUTS)
  .map(({ usage, does }) => `\`${usage}\` ${does}`)
  .join('; ');

/** Returns whether a line is a shortcut. */
export const isShortcut = (line: string): boolean => line.trimStart().startsWith('\\');

/**
 * Runs the shortcut of a line.
 * @throws UsageError if there is no such shortcut, or its argument is wrong
 */
export async function runShortcut(context: ShortcutContext, line: string): Promise<void> {
  const [, name = '', argument = ''] = /^\s*\\(\S*)\s*(.*?)\s*;?\s*$/s.exec(line) ?? [];
  const shortcut = Object.hasOwn(SHORTCUTS, name) ? SHORTCUTS[name] : undefined;
  if (shortcut === undefined) throw new UsageError(`There is no shortcut \\${name}. \\? lists them.`);
  await shortcut.run(context, argument);
}
