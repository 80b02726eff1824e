import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { RESULT_FORMATS, type ResultFormat } from '../output/format-names.ts';
import { PRINT_OPTIONS } from '../statement/print-options.ts';
import type { PrintOptions } from '../statement/print-rows.ts';

const { timeZone: _timeZone, ...SCREEN_OPTIONS } = PRINT_OPTIONS;

/** Options of the commands that print rows of a kept result, whose time zone is that of the execution. */
export const RESULT_PRINT_OPTIONS = {
  format: {
    kind: 'text',
    value: 'FORMAT',
    choices: RESULT_FORMATS,
    meaning: 'Format of the rows. Default: table on a terminal, else csv. --json means json.',
  },
  ...SCREEN_OPTIONS,
} as const;

interface GivenOptions {
  readonly format: ResultFormat | undefined;
  readonly null: string | undefined;
  readonly maxColumnWidth: number;
  readonly noPager: boolean;
}

/**
 * Returns how rows are printed.
 * @throws UsageError if `--json` and another format are given
 */
export function readPrintOptions({ globals, terminal }: CommandContext, options: GivenOptions): PrintOptions {
  if (globals.isJson && options.format !== undefined && options.format !== 'json')
    throw new UsageError(`--json and --format ${options.format} exclude each other. Leave one out.`);
  return {
    format: globals.isJson ? 'json' : (options.format ?? (terminal.stdout.isTerminal ? 'table' : 'csv')),
    nullText: options.null,
    cellWidthMax: options.maxColumnWidth,
    mayPage: !options.noPager,
    showsSummary: true,
    showsTime: true,
  };
}
