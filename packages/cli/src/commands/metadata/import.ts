import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { finishImport } from '../../metadata-files/finish-import.ts';
import { METADATA_FORMATS, openMetadataFile } from '../../metadata-files/open-metadata-file.ts';
import { checkReportFile, saveStoppedReport } from '../../metadata-files/save-report.ts';
import { StoppedImport, sendFile } from '../../metadata-files/send-file.ts';

/** Files to begin with. Each can be imported as it is after the names are replaced by your own. */
const TEMPLATES = {
  csv: `type,id,field,display_name,description,tags,domains
TABLE,demo.vega.flights,,,"Flights, one row each",aviation;us,
TABLE,demo.vega.flights,delay,,Minutes late on arrival,,
`,
  yaml: `# A key that is left out stays as it is; null removes a description, [] all tags.
metadata_objects:
- type: TABLE
  id: demo.vega.flights
  description: Flights, one row each
  tags: [aviation, us]
  # Instead of tags, which replaces all: add_tags and remove_tags.
  fields:
    - name: delay
      description: Minutes late on arrival
`,
  json: `{
  "metadata_objects": [
    {
      "type": "TABLE",
      "id": "demo.vega.flights",
      "description": "Flights, one row each",
      "tags": ["aviation", "us"],
      "fields": [{ "name": "delay", "description": "Minutes late on arrival" }]
    }
  ]
}
`,
} as const;

export const importMetadata = defineCommand({
  name: 'import',
  summary: 'Import descriptions, tags, domains and fields from a file',
  description: [
    'The host checks the whole file first: a mistake anywhere is reported with its line, and nothing is imported. Objects that do not exist or that you may not change fail alone; all others are applied.',
    'Importing a file twice changes nothing the second time, so after any failure you can run the same command again. A report is a file too: correct what failed in it and import it.',
    'Ctrl-C stops the import at the host and says what was applied. If the connection is lost, the import goes on, and --resume shows its results.',
    'A file has at most 100,000 objects and 64 MiB. CSV may have commas, semicolons or tabs between its cells, as spreadsheets write it. YAML is a list of objects, without anchors and aliases.',
    'With --json, prints one document: the import with its counts, and in `metadata_results` each object with its content, `line`, `success`, `error_message` and, in a dry run, `changes`.',
  ].join('\n\n'),
  arguments: { file: { meaning: 'File to import; - for stdin.', completes: 'file' } },
  options: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: METADATA_FORMATS,
      meaning: 'Format of the file, if its extension does not say it.',
    },
    dryRun: { kind: 'flag', meaning: 'Show what would change, and change nothing.' },
    report: {
      kind: 'text',
      value: 'FILE',
      completes: 'file',
      meaning: 'Write the result of each object to FILE, as CSV, YAML, JSON or NDJSON by its extension.',
    },
    failedOnly: { kind: 'flag', meaning: 'Write only the objects that were not applied to the report.' },
    resume: {
      kind: 'text',
      value: 'IMPORT_ID',
      meaning: 'Wait for the end of an import that was started before, and show its results.',
    },
    template: {
      kind: 'text',
      value: 'FORMAT',
      choices: ['csv', 'yaml', 'json'],
      meaning: 'Print a file to begin with.',
    },
  },
  examples: [
    { command: 'import --template csv > new-texts.csv', does: 'writes a file to begin with' },
    { command: 'import new-texts.csv --dry-run', does: 'shows what the file would change' },
    {
      command: 'import new-texts.csv --report not-applied.csv --failed-only',
      does: 'imports it, and keeps what failed',
    },
  ],
  routes: [
    'GET /me',
    'POST /metadata/imports',
    'GET /metadata/imports/{id}',
    'GET /metadata/imports/{id}/report',
    'DELETE /metadata/imports/{id}',
  ],
  files: ['the file of --report, which is `FILE.part` until it is whole'],
  exitCodes: [3],
  run: async (context, { arguments: { file }, options }) => {
    const { terminal, connect, signal } = context;
    const { template, resume, dryRun, format } = options;
    if (template !== undefined) return await terminal.stdout.write(TEMPLATES[template]);
    if ((file === undefined) === (resume === undefined) || resume === '')
      throw new UsageError('Name a file to import, or an import with --resume IMPORT_ID. See `sluice import --help`.');
    const report =
      options.report === undefined ? undefined : { path: options.report, isFailedOnly: options.failedOnly };
    if (report !== undefined) await checkReportFile(report.path);
    if (file === undefined) {
      const { client } = await connect();
      const found = await client.metadata.awaitImport(resume ?? '', { signal });
      return await finishImport(context, client, { found, report });
    }
    const upload = await openMetadataFile(file, format, { stdin: terminal.stdin, signal });
    try {
      const { client } = await connect();
      const found = await sendFile(context, client, { upload, dryRun }).catch(async (error: unknown) => {
        if (error instanceof StoppedImport && report !== undefined)
          error.message += ` ${await saveStoppedReport(client, error, report)}`;
        throw error;
      });
      await finishImport(context, client, { found, report });
    } finally {
      upload.close();
    }
  },
});
