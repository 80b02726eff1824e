import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { RESULT_FORMATS } from '../../output/format-names.ts';
import { SHORTCUT_HELP } from '../../shell/shortcuts.ts';
import { NAMESPACE_OPTIONS } from '../../statement/namespace-options.ts';
import { PRINT_OPTIONS } from '../../statement/print-options.ts';

const TERMINAL_RULES = [
  'At a prompt: a statement ends with ; and may have many lines. Arrow keys recall earlier statements, Ctrl-R finds them, Tab completes keywords and names of the',
  'catalog. Ctrl-C cancels the running query in the engine, or drops the line, and keeps the shell; Ctrl-D leaves. After the end of a login,',
  'log in again in another terminal: `\\g` then runs the statement again.',
].join(' ');

const PIPE_RULES =
  'Without a terminal, statements are read from standard input and run as they arrive. The first failure ends the command with its exit code.';

const HISTORY_RULES =
  'Statements are kept in the history file, which only its owner can read. Delete the file to forget them.';

export const sql = defineCommand({
  name: 'sql',
  summary: 'Run statements one after another, at a prompt or from standard input',
  description: [TERMINAL_RULES, 'Shortcuts:', SHORTCUT_HELP, PIPE_RULES, HISTORY_RULES].join('\n\n'),
  arguments: {},
  options: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: RESULT_FORMATS,
      meaning: 'Format of results. Default: table on a terminal, else csv.',
    },
    ...NAMESPACE_OPTIONS,
    ...PRINT_OPTIONS,
  },
  examples: [
    { command: 'sql', does: 'opens a prompt', notRun: 'it waits for statements' },
    { command: "sql --format json <<< 'SELECT 1 AS one; SELECT 2 AS two;'", does: 'runs two statements of a pipe' },
  ],
  routes: [
    'POST /query',
    'GET /query/{id}',
    'DELETE /query/{id}',
    'GET /catalog',
    'GET /catalog/{catalog}/{schema}/{table}',
  ],
  files: ['$XDG_STATE_HOME/sluice/history, default ~/.local/state/sluice/history'],
  exitCodes: [3],
  run: async (context, { options }) => {
    const { terminal, globals } = context;
    if (globals.isJson && options.format !== undefined && options.format !== 'json')
      throw new UsageError(`--json and --format ${options.format} exclude each other. Leave one out.`);
    const { createShell } = await import('../../shell/shell.ts');
    const { readAtPrompt, readFromPipe } = await import('../../shell/read-loop.ts');
    const shell = createShell(
      context,
      {
        nullText: options.null,
        cellWidthMax: options.maxColumnWidth,
        mayPage: !options.noPager,
        timeZone: options.timeZone,
        catalog: options.catalog,
        schema: options.schema,
      },
      globals.isJson ? 'json' : options.format,
    );
    try {
      if (terminal.isInteractive) await readAtPrompt(context, shell);
      else await readFromPipe(context, shell);
    } finally {
      await shell.close();
    }
  },
});
