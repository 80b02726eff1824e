import { defineCommand } from '../../command.ts';
import { findResult, RESULT_ARGUMENT } from '../../kept-results/find-result.ts';
import { LAST_RESULT } from '../../kept-results/last-result.ts';
import { chooseFormat } from '../../part-file/choose-format.ts';
import { FORMAT_OPTIONS, FORMATS, readFormatOptions } from '../../part-file/format-options.ts';
import { saveResult } from '../../part-file/save-download.ts';
import { PART_FILES, SAVE_OPTIONS } from '../../part-file/save-options.ts';

const RULES = [
  'The file has the bytes of a direct download, in every format that `sluice result show` lists. It appears only when its length and its SHA-256',
  'equal those of the host; until then the bytes are in FILE.part. A file of a kept result has no receipt: `sluice result verify` compares it with the result again.',
].join(' ');
const RESUME_RULES = [
  'A connection that is cut is continued, at most three times. After Ctrl-C, a crash or kill -9, `sluice download --resume -o FILE` continues',
  'FILE.part while the result is kept.',
].join(' ');

export const resultDownload = defineCommand({
  name: 'result download',
  summary: 'Save a kept result in any format, without another run',
  description: `${RULES}\n\n${RESUME_RULES}`,
  arguments: {
    id: RESULT_ARGUMENT,
    format: { meaning: 'Format of the file. Default: by the extension of FILE.', choices: FORMATS },
  },
  options: { ...SAVE_OPTIONS, ...FORMAT_OPTIONS },
  examples: [
    { command: `result download "${LAST_RESULT}" -o last.xlsx`, does: 'saves your last kept result as a workbook' },
    { command: `result download "${LAST_RESULT}" csv -o - | head -3`, does: 'writes it to another program' },
  ],
  routes: ['GET /query/{id}/download/{format}', 'GET /query/history'],
  files: ['`FILE.part`: the bytes until they are verified', ...PART_FILES],
  exitCodes: [3],
  run: async (context, { arguments: { id, format: given }, options }) => {
    const format = chooseFormat(options.output, { given, formats: FORMATS, by: '`sluice result download ID FORMAT`:' });
    const formatOptions = readFormatOptions(format, options);
    const { client } = await context.connect();
    const { id: queryId } = await findResult(context, client, id);
    await saveResult(context, { queryId, format, options: formatOptions }, options);
  },
});
