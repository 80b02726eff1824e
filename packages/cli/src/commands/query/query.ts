import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { RESULT_FORMATS } from '../../output/format-names.ts';
import { KEEP_OPTION, REUSE_OPTION, requireDuration } from '../../statement/keep-options.ts';
import { NAMESPACE_OPTIONS } from '../../statement/namespace-options.ts';
import { PARAMETER_MEANING, PARAMETER_RULES, parseParameters } from '../../statement/parse-parameters.ts';
import { PRINT_OPTIONS } from '../../statement/print-options.ts';
import { readStatement } from '../../statement/read-statement.ts';

const FORMAT_RULES = [
  'On a terminal the format is table, in a pipe or file CSV; --format wins.',
  'NULL and the empty string differ: CSV has nothing and "", TSV \\N and nothing, table and vertical NULL and nothing, Markdown `*NULL*` and',
  'nothing. Lists, maps and rows are printed as JSON. JSON has every digit of a number, so use a parser that keeps them.',
].join(' ');

const TABLE_RULES = [
  'A table takes the widths of its first 1,000 rows (or 500 ms). A cell that is longer is cut and ends with …; --format vertical shows all.',
  'A table longer or wider than the screen goes to the pager: PAGER, or less. Arrow keys scroll it to the sides.',
].join(' ');

const END_RULES = [
  'The number of rows and the time go to stderr. A result that was cut keeps its rows, says "incomplete after N rows" on stderr and exits with 3;',
  'JSON then lacks its closing bracket. Ctrl-C cancels the query in the engine.',
].join(' ');

export const query = defineCommand({
  name: 'query',
  summary: 'Run a statement and print its rows',
  description: [FORMAT_RULES, TABLE_RULES, PARAMETER_RULES, END_RULES].join('\n\n'),
  arguments: {
    sql: { meaning: 'The statement. Default, and for -: standard input, read to its end.', completes: 'sql' },
  },
  options: {
    file: {
      kind: 'text',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      meaning: 'Read the statement from a file.',
    },
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: RESULT_FORMATS,
      meaning: 'Format of the rows. Default: table on a terminal, else csv. --json means json.',
    },
    param: { kind: 'list', short: 'p', value: 'NAME=VALUE', meaning: PARAMETER_MEANING },
    size: { kind: 'integer', value: 'N', min: 1, meaning: 'Return at most N rows, and say if there are more.' },
    keep: KEEP_OPTION,
    reuse: REUSE_OPTION,
    ...NAMESPACE_OPTIONS,
    ...PRINT_OPTIONS,
  },
  examples: [
    { command: "query 'SELECT origin, count(*) AS flights FROM flights GROUP BY origin'", does: 'prints a table' },
    {
      command: "query 'SELECT * FROM flights WHERE origin = $airport' --param airport=SFO --size 10",
      does: 'binds a parameter, and takes ten rows',
    },
    {
      command: "query 'SELECT origin, count(*) AS flights FROM flights GROUP BY origin' --keep 24h --reuse 15m",
      does: 'keeps the result for a day, and prints one that is at most 15 minutes old without another run',
    },
    {
      command: 'query -f report.sql --param day:date=2010-01-31 > report.csv',
      does: 'writes the result of a file as CSV',
      notRun: 'needs a file of yours',
    },
    {
      command: "query 'SELECT * FROM airports' --format json | jq '.[0]'",
      does: 'prints the first row as JSON',
      notRun: 'needs jq',
    },
  ],
  routes: ['POST /query', 'GET /query/{id}/events', 'GET /query/{id}', 'DELETE /query/{id}'],
  exitCodes: [3],
  run: async (context, { arguments: { sql }, options }) => {
    const { terminal, globals, signal } = context;
    if (globals.isJson && options.format !== undefined && options.format !== 'json')
      throw new UsageError(`--json and --format ${options.format} exclude each other. Leave one out.`);
    const parameters = parseParameters(options.param);
    const keep = requireDuration('--keep', options.keep);
    const reuse = requireDuration('--reuse', options.reuse);
    const statement = await readStatement({ sql, file: options.file, command: 'query' }, terminal, signal);
    const { client } = await context.connect();
    const { runStatement } = await import('../../statement/run-statement.ts');
    const format = globals.isJson ? 'json' : (options.format ?? (terminal.stdout.isTerminal ? 'table' : 'csv'));
    await runStatement(
      { ...context, client },
      {
        ...{ sql: statement, parameters, size: options.size, timeZone: options.timeZone },
        ...{ catalog: options.catalog, schema: options.schema, keep, reuse },
      },
      {
        format,
        nullText: options.null,
        cellWidthMax: options.maxColumnWidth,
        mayPage: !options.noPager,
        showsSummary: true,
        showsTime: true,
      },
    );
  },
});
