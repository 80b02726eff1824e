import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { chooseFormat } from '../../part-file/choose-format.ts';
import { FORMAT_OPTIONS, FORMATS, readFormatOptions } from '../../part-file/format-options.ts';
import { resumeDownload, saveDownload } from '../../part-file/save-download.ts';
import { PART_FILES, SAVE_DESCRIPTION, SAVE_FILES, SAVE_OPTIONS } from '../../part-file/save-options.ts';
import { KEEP_OPTION, requireDuration } from '../../statement/keep-options.ts';
import { NAMESPACE_OPTIONS } from '../../statement/namespace-options.ts';
import { PARAMETER_MEANING, PARAMETER_RULES, parseParameters } from '../../statement/parse-parameters.ts';
import { readStatement } from '../../statement/read-statement.ts';

const KEEP_RULES = [
  'With --keep, a connection that is cut does no harm: the rest of the file is read from the kept result, which has the same bytes.',
  'If this program ends before (kill -9, a crash), FILE.part stays, and `sluice download --resume -o FILE` continues it while the result is kept.',
  'It continues an interrupted `sluice result download` too, also after Ctrl-C.',
].join(' ');

/** The engine writes a Parquet file itself, and its rows pass through no other program. */
const NOT_KEPT_PARQUET =
  'A direct download of parquet cannot be kept. Run `sluice query --keep TIME`, and then `sluice result download ID -o FILE.parquet`.';

export const download = defineCommand({
  name: 'download',
  summary: 'Run a statement and save its result, proven complete',
  description: `The statement is the last argument, the file of -f, or standard input.\n\n${SAVE_DESCRIPTION}\n\n${KEEP_RULES}\n\n${PARAMETER_RULES}`,
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
    ...NAMESPACE_OPTIONS,
    ...FORMAT_OPTIONS,
    keep: KEEP_OPTION,
    resume: {
      kind: 'flag',
      meaning:
        'Continue FILE.part of an interrupted download of a kept result. Takes -o and --force, and neither a format nor a statement.',
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
    {
      command: "download csv 'SELECT * FROM airports' --keep 24h -o kept-airports.csv",
      does: 'keeps the result on the host too, so that a cut connection or a crash costs no second run',
    },
    {
      command: 'download --resume -o kept-airports.csv',
      does: 'continues a download that was interrupted',
      notRun: 'needs an interrupted download',
    },
  ],
  routes: [
    ...FORMATS.map((format) => `POST /query/download/${format}`),
    'GET /query/{id}/download/{format}',
    'GET /query/{id}/result',
    'GET /query/{id}',
    'DELETE /query/{id}',
    'GET /me',
  ],
  files: [...SAVE_FILES, ...PART_FILES],
  exitCodes: [3],
  run: async (context, { arguments: { format: given, sql }, options }) => {
    if (options.resume) {
      requireNothingElse([given, sql, options.file, options.keep, ...options.param]);
      return await resumeDownload(context, options);
    }
    const format = chooseFormat(options.output, { given, formats: FORMATS, by: '`sluice download FORMAT`:' });
    const formatOptions = readFormatOptions(format, options);
    const keep = requireDuration('--keep', options.keep);
    if (keep !== undefined && format === 'parquet') throw new UsageError(NOT_KEPT_PARQUET);
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
      ...(options.catalog === undefined ? {} : { catalog: options.catalog }),
      ...(options.schema === undefined ? {} : { schema: options.schema }),
      ...formatOptions,
      ...(keep === undefined ? {} : { keep }),
    };
    await saveDownload(context, request, options);
  },
});

/** @throws UsageError if a value was given beside `--resume` */
function requireNothingElse(values: readonly (string | undefined)[]): void {
  if (values.every((value) => value === undefined)) return;
  throw new UsageError(
    '--resume continues a download as it was begun. Leave out the format, the statement and its options.',
  );
}
