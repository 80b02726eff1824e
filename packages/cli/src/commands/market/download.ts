import { DOWNLOAD_FORMATS, ITEM_FORMATS } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { saveDownload } from '../../part-file/save-download.ts';
import { SAVE_DESCRIPTION, SAVE_FILES, SAVE_OPTIONS } from '../../part-file/save-options.ts';
import { PARAMETER_MEANING, PARAMETER_RULES, parseParameters } from '../../statement/parse-parameters.ts';

const listed = (names: readonly string[], word: 'and' | 'or'): string =>
  `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;

const TEXT_FORMATS = ITEM_FORMATS.filter((format) => DOWNLOAD_FORMATS[format].isText);

export const marketDownload = defineCommand({
  name: 'market download',
  summary: 'Save an item of the marketplace, proven complete',
  description: `An item with several queries is a ZIP archive for ${listed(TEXT_FORMATS, 'and')}, and one workbook for xlsx.\n\n${SAVE_DESCRIPTION}\n\n${PARAMETER_RULES}`,
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: {
    ...SAVE_OPTIONS,
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: ITEM_FORMATS,
      meaning: 'Format of the file, or of the files in the archive. Required.',
    },
    param: { kind: 'list', short: 'p', value: 'NAME=VALUE', meaning: PARAMETER_MEANING },
    compression: {
      kind: 'text',
      value: 'HOW',
      choices: ['deflate', 'store'],
      meaning: 'Compression of an archive; store is faster and larger. Default: deflate.',
    },
  },
  examples: [
    { command: 'market download flights-by-origin --format csv -o flights.csv', does: 'saves an item with one query' },
    { command: 'market download flight-pack --format csv -o flights.zip', does: 'saves an item with several queries' },
  ],
  routes: ['POST /marketplace/download', 'GET /query/{id}', 'DELETE /query/{id}', 'GET /me'],
  files: SAVE_FILES,
  exitCodes: [3],
  run: async (context, { arguments: { id }, options }) => {
    const { format, compression } = options;
    if (format === undefined) throw new UsageError(`Choose a format: --format ${listed(ITEM_FORMATS, 'or')}.`);
    const parameters = parseParameters(options.param);
    const request = {
      itemId: id,
      format,
      ...(parameters === undefined ? {} : { parameters }),
      ...(compression === undefined ? {} : { compression }),
    };
    await saveDownload(context, request, options);
  },
});
