import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { findResult, RESULT_ARGUMENT } from '../../kept-results/find-result.ts';
import { LAST_RESULT } from '../../kept-results/last-result.ts';
import { RESULT_PRINT_OPTIONS, readPrintOptions } from '../../kept-results/result-print-options.ts';

export const resultRows = defineCommand({
  name: 'result rows',
  summary: 'Print rows of a kept result',
  description: 'Formats and tables are those of `sluice query`. Times have the time zone of the query that ran.',
  arguments: { id: RESULT_ARGUMENT },
  options: {
    from: {
      kind: 'integer',
      value: 'N',
      min: 0,
      max: 999_999_999,
      default: 0,
      meaning: 'Number of the first row; the first of all is 0.',
    },
    to: {
      kind: 'integer',
      value: 'N',
      min: 0,
      max: 999_999_999,
      meaning: 'Number of the row behind the last one. Default: the end.',
    },
    ...RESULT_PRINT_OPTIONS,
  },
  examples: [
    { command: `result rows "${LAST_RESULT}" --to 3`, does: 'prints the first three rows of your last kept result' },
  ],
  routes: ['GET /query/{id}/rows', 'GET /query/{id}/result', 'GET /query/history'],
  exitCodes: [3],
  run: async (context, { arguments: { id }, options }) => {
    const { from, to } = options;
    if (to !== undefined && to < from) throw new UsageError(`--to must not be below --from, which is ${from}.`);
    const print = readPrintOptions(context, options);
    const { client } = await context.connect();
    const { printPages } = await import('../../kept-results/print-result.ts');
    await printPages(context, await findResult(context, client, id), { from, to }, print);
  },
});

export const resultFollow = defineCommand({
  name: 'result follow',
  summary: 'Print the rows of a kept result as they arrive, also while its query runs',
  description:
    'Continues the rows of a query with `--keep` whose client has gone: hosts go on with it for 60 s. Ctrl-C ends this command, and not the query.',
  arguments: { id: RESULT_ARGUMENT },
  options: {
    after: {
      kind: 'integer',
      value: 'N',
      min: 0,
      max: 999_999_999,
      default: 0,
      meaning: 'Leave out this many rows, which you have already.',
    },
    ...RESULT_PRINT_OPTIONS,
  },
  examples: [{ command: `result follow "${LAST_RESULT}" --after 2`, does: 'prints all rows but the first two' }],
  routes: ['GET /query/{id}/events', 'GET /query/history'],
  exitCodes: [3],
  run: async (context, { arguments: { id }, options }) => {
    const print = readPrintOptions(context, options);
    const { client } = await context.connect();
    const { printFollowed } = await import('../../kept-results/print-result.ts');
    await printFollowed(context, await findResult(context, client, id), options.after, print);
  },
});
