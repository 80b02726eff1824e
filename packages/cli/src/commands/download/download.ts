import { DOWNLOAD_FORMATS, type DownloadFormat, type FormatOption } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { chooseFormat } from '../../part-file/choose-format.ts';
import { saveDownload } from '../../part-file/save-download.ts';
import { SAVE_DESCRIPTION, SAVE_FILES, SAVE_OPTIONS } from '../../part-file/save-options.ts';
import { PARAMETER_MEANING, PARAMETER_RULES, parseParameters } from '../../statement/parse-parameters.ts';
import { readStatement } from '../../statement/read-statement.ts';

const FORMATS = Object.keys(DOWNLOAD_FORMATS) as readonly DownloadFormat[];

const withOption = (option: FormatOption): readonly DownloadFormat[] =>
  FORMATS.filter((format) => DOWNLOAD_FORMATS[format].options.includes(option));

/** Separators by the names that a shell needs no quotes for. */
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
const SEPARATOR_NAMES = ['comma', 'semicolon', 'tab', 'pipe'] as const;

/** Options that only some formats have. */
const OPTION_FORMATS = {
  excelSafe: { option: '--excel-safe', formats: withOption('excelSafe') },
  separator: { option: '--separator', formats: withOption('separator') },
  bom: { option: '--bom', formats: withOption('bom') },
  excelDates: { option: '--excel-dates', formats: withOption('excelDates') },
  bigNumbers: { option: '--big-numbers', formats: withOption('bigNumbers') },
} as const;

export const download = defineCommand({
  name: 'download',
  summary: 'Run a statement and save its result, proven complete',
  description: `The statement is the last argument, the file of -f, or standard input.\n\n${SAVE_DESCRIPTION}\n\n${PARAMETER_RULES}`,
  arguments: {
    format: {
      meaning: 'Format of the file. Default: by the extension of FILE.',
      choices: FORMATS,
    },
    sql: { meaning: 'The statement. Default: standard input.', completes: 'sql' },
  },
  options: {
    ...SAVE_OPTIONS,
    file: {
      kind: 'text',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      meaning: 'Read the statement from a file.',
    },
    param: { kind: 'list', short: 'p', value: 'NAME=VALUE', meaning: PARAMETER_MEANING },
    timeZone: {
      kind: 'text',
      value: 'ZONE',
      meaning: 'Time zone of the session, such as Europe/Berlin. Default: UTC.',
    },
    bigNumbers: {
      kind: 'flag',
      meaning: `Write numbers that a double may round as strings (${OPTION_FORMATS.bigNumbers.formats.join(', ')}).`,
    },
    excelSafe: {
      kind: 'flag',
      meaning: `Prefix values that a spreadsheet would run as formulas, which changes data, and mark the file as UTF-8 (${OPTION_FORMATS.excelSafe.formats.join(', ')}).`,
    },
    separator: {
      kind: 'text',
      value: 'NAME',
      choices: SEPARATOR_NAMES,
      meaning: `Character between two fields (${OPTION_FORMATS.separator.formats.join(', ')}). Default: comma.`,
    },
    bom: {
      kind: 'flag',
      meaning: `Begin the file with a byte order mark, so that Excel reads it as UTF-8 (${OPTION_FORMATS.bom.formats.join(', ')}).`,
    },
    excelDates: {
      kind: 'flag',
      meaning: `Make date cells of all dates, times and timestamps, rounded to milliseconds, which changes data; the sheet About counts the changes (${OPTION_FORMATS.excelDates.formats.join(', ')}).`,
    },
  },
  examples: [
    {
      command: "download csv 'SELECT * FROM airports' -o all-airports.csv",
      does: 'saves a table, with its receipt beside it',
    },
    {
      command: "download 'SELECT * FROM airports' -o all-airports.parquet",
      does: 'chooses the format by the extension',
    },
    {
      command: "download parquet 'SELECT * FROM flights WHERE origin = $airport' --param airport=SFO -o sfo.parquet",
      does: 'saves the result of a statement with a parameter',
    },
    { command: "download csv 'SELECT * FROM airports' -o - | head -3", does: 'writes to another program' },
  ],
  routes: [
    ...FORMATS.map((format) => `POST /query/download/${format}`),
    'GET /query/{id}',
    'DELETE /query/{id}',
    'GET /me',
  ],
  files: SAVE_FILES,
  exitCodes: [3],
  run: async (context, { arguments: { format: given, sql }, options }) => {
    const format = chooseFormat(options.output, { given, formats: FORMATS, by: '`sluice download FORMAT`:' });
    for (const [name, { option, formats }] of Object.entries(OPTION_FORMATS)) {
      if (options[name as keyof typeof OPTION_FORMATS] && !formats.includes(format))
        throw new UsageError(`${option} is for ${formats.join(', ')}, not for ${format}. Leave it out.`);
    }
    const parameters = parseParameters(options.param);
    const statement = await readStatement(
      { sql, file: options.file, command: 'download' },
      context.terminal,
      context.signal,
    );
    const request = {
      format,
      sql: statement,
      ...(parameters === undefined ? {} : { parameters }),
      ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
      ...(options.bigNumbers ? { bigNumbers: 'string' as const } : {}),
      ...(options.excelSafe ? { excelSafe: true } : {}),
      ...(options.separator === undefined ? {} : { separator: SEPARATORS[options.separator] }),
      ...(options.bom ? { bom: true } : {}),
      ...(options.excelDates ? { excelDates: true } : {}),
    };
    await saveDownload(context, request, options);
  },
});
