import { visibleLine } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import { MismatchError } from '../../errors.ts';
import { explainMissing, findResult, RESULT_ARGUMENT } from '../../kept-results/find-result.ts';
import { LAST_RESULT } from '../../kept-results/last-result.ts';
import { formatBytes } from '../../output/quantity.ts';
import { chooseFormat } from '../../part-file/choose-format.ts';
import { FORMAT_OPTIONS, FORMATS, readFormatOptions } from '../../part-file/format-options.ts';
import { hashWithProgress } from '../../part-file/hash-with-progress.ts';

const RULES = [
  'Compares length and SHA-256 of the file with those of the kept result in the same format and with the same options, which the host computes',
  'from the stored rows. Exit code 3: the file is another one. The result must still be kept; the audit log has every download of it.',
].join(' ');
const DOCUMENT =
  '--json prints one document: file, query_id, state (matches, file_changed), bytes, sha256, result_bytes, result_sha256.';

export const resultVerify = defineCommand({
  name: 'result verify',
  summary: 'Prove that a file is the whole file of a kept result',
  description: `${RULES}\n\n${DOCUMENT}`,
  arguments: {
    id: RESULT_ARGUMENT,
    file: { meaning: 'The downloaded file.', isRequired: true, completes: 'file' },
    format: { meaning: 'Format of the file. Default: by the extension of FILE.', choices: FORMATS },
  },
  options: FORMAT_OPTIONS,
  examples: [
    {
      command: `result verify "${LAST_RESULT}" last.xlsx`,
      does: 'compares a file with the kept result that it was saved from',
    },
  ],
  routes: ['GET /query/{id}/download/{format}', 'GET /query/history'],
  exitCodes: [3],
  run: async (context, { arguments: { id, file, format: given }, options }) => {
    const { terminal, globals, signal } = context;
    const format = chooseFormat(file, { given, formats: FORMATS, by: '`sluice result verify ID FILE FORMAT`:' });
    const formatOptions = readFormatOptions(format, options);
    const hash = await hashWithProgress(context, file);
    const { client } = await context.connect();
    const result = await findResult(context, client, id);
    const kept = await result.fileFacts(format, { ...formatOptions, signal }).catch(explainMissing(result.id));
    const isSame = kept.sha256 === hash.sha256 && (kept.length ?? hash.bytes) === hash.bytes;
    if (globals.isJson) {
      const document = {
        file,
        query_id: result.id,
        state: isSame ? 'matches' : 'file_changed',
        bytes: hash.bytes,
        sha256: hash.sha256,
        result_bytes: kept.length ?? null,
        result_sha256: kept.sha256,
      };
      await terminal.stdout.write(`${JSON.stringify(document)}\n`);
    }
    if (!isSame) {
      const advice = 'Give the options that it was saved with, or download it again.';
      const what = `${file} is not the ${format} file of the kept result of query ${result.id}: its SHA-256 is another one.`;
      throw new MismatchError(visibleLine(`${what} ${advice}`));
    }
    if (globals.isJson) return;
    const sentence = `${file} is whole: ${formatBytes(hash.bytes)}, as the kept result of query ${result.id} says.`;
    await terminal.stdout.write(`${visibleLine(sentence)}\n`);
  },
});
