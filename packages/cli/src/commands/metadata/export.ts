import { SluiceError } from '@sluice/client';
import { saveFile } from '@sluice/client/node';
import { visibleText } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import { chooseMetadataFormat, METADATA_FORMATS } from '../../metadata-files/open-metadata-file.ts';
import { writeMetadata } from '../../metadata-files/write-metadata.ts';
import { formatCount } from '../../output/quantity.ts';
import { createProgressLine } from '../../terminal/progress-line.ts';
import type { Output } from '../../terminal/terminal.ts';

const SHOWN_EVERY = 500;

/** Counts objects as they pass, and shows the count on a terminal. */
function countObjects<Each>(source: AsyncIterable<Each>, stderr: Output, isShown: boolean) {
  const line = createProgressLine(stderr);
  let count = 0;
  return {
    text: () => `${formatCount(count)} ${count === 1 ? 'object' : 'objects'}`,
    async *objects(): AsyncGenerator<Each> {
      try {
        for await (const each of source) {
          count += 1;
          if (isShown && count % SHOWN_EVERY === 0)
            await line.show([{ text: `${formatCount(count)} objects`, rank: 0 }]);
          yield each;
        }
      } finally {
        await line.clear();
      }
    },
  };
}

/** Names the option instead of the setting of the client. */
function withOption(error: unknown): unknown {
  if (error instanceof SluiceError && error.code === 'target_failed')
    error.message = error.message.replace(', or set overwrite.', ', or replace it with --force.');
  return error;
}

export const exportMetadata = defineCommand({
  name: 'export',
  summary: 'Export descriptions, tags, domains and fields to a file that import accepts',
  description: [
    'Tables and views by name, then datamaps by id: those that you may see. Importing an export changes nothing.',
    'FILE appears only when the export is whole; until then it is FILE.part. What is written to stdout is whole if the exit code is 0.',
  ].join('\n\n'),
  arguments: {},
  options: {
    output: { kind: 'text', short: 'o', value: 'FILE', completes: 'file', meaning: 'File to write. Default: stdout.' },
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: METADATA_FORMATS,
      meaning: 'Default: by the extension of the file, and json for stdout.',
    },
    type: { kind: 'text', value: 'TYPE', choices: ['TABLE', 'VIEW', 'DATAMAP'], meaning: 'Only objects of this type.' },
    prefix: { kind: 'text', value: 'TEXT', meaning: 'Only objects whose id begins with it, such as demo.vega.' },
    all: { kind: 'flag', meaning: 'Also objects and fields without metadata, as a file to fill in.' },
    force: { kind: 'flag', meaning: 'Replace an existing file.' },
  },
  examples: [
    { command: 'export -o all-texts.yaml', does: 'writes everything to a YAML file' },
    {
      command: 'export --prefix demo.vega. --all -o vega-tables.csv',
      does: 'writes a schema to fill in with a spreadsheet',
    },
    { command: 'export --json | head -3', does: 'writes to another program' },
  ],
  routes: ['GET /metadata/export'],
  files: ['the file of --output, which is `FILE.part` until it is whole'],
  exitCodes: [3],
  run: async ({ terminal, globals, connect, signal }, { options }) => {
    const { output, type, prefix, all, force } = options;
    const { stdout, stderr } = terminal;
    const isStdout = output === undefined || output === '-';
    const given = options.format ?? (globals.isJson ? 'json' : undefined);
    const format = isStdout ? (given ?? 'json') : chooseMetadataFormat(output, given);
    const { client } = await connect();
    const filters = { ...(type && { type }), ...(prefix && { prefix }), ...(all && { all }) };
    // What reads a pipe may write to this terminal too.
    const isShown = !isStdout || stdout.isFile;
    const counted = countObjects(client.metadata.exportAll(filters, { signal }), stderr, isShown);
    const texts = writeMetadata(format, counted.objects());
    if (isStdout) {
      for await (const text of texts) await stdout.write(stdout.isTerminal ? visibleText(text) : text);
      return;
    }
    await saveFile(output, texts, { overwrite: force }).catch((error: unknown) => {
      throw withOption(error);
    });
    await stderr.write(`${output}: ${counted.text()}.\n`);
  },
});
