import { ResponseError } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { domainNames } from '../../names/domain-names.ts';
import { parseQualifiedName, qualifiedName } from '../../names/qualified-name.ts';
import { printDetails } from '../../output/print-details.ts';
import { formatTime } from '../../times/format-time.ts';

const COLUMNS = [{ title: 'Column' }, { title: 'Type' }, { title: 'Tags' }, { title: 'Description' }];

export const catalogShow = defineCommand({
  name: 'catalog show',
  summary: 'Describe a table or view with its columns',
  arguments: {
    table: {
      meaning: 'CATALOG.SCHEMA.TABLE. A part with a dot is written in double quotes.',
      isRequired: true,
      completes: 'table',
    },
  },
  options: {},
  examples: [
    { command: 'catalog show demo.vega.flights', does: 'shows descriptions, tags, domains and columns' },
    { command: 'catalog show demo.vega.flights --json', does: 'prints them as one JSON document' },
  ],
  routes: ['GET /catalog/{catalog}/{schema}/{table}', 'GET /domains/{id}'],
  run: async (context, { arguments: { table: name } }) => {
    const parts = parseQualifiedName(name, { min: 3, max: 3, form: 'CATALOG.SCHEMA.TABLE' });
    const [catalog = '', schema = '', table = ''] = parts;
    const connection = await context.connect();
    const { signal, terminal, globals } = context;
    const found = await connection.client.api
      .getCatalogTable({ params: { catalog, schema, table }, signal })
      .catch((error: unknown) => {
        if (!(error instanceof ResponseError) || error.status !== 404) throw error;
        const list = `sluice catalog list ${qualifiedName([catalog, schema])}`;
        throw new CommandError(`There is no table ${qualifiedName(parts)}. \`${list}\` shows what there is.`, {
          cause: error,
        });
      });
    await printDetails(context, found, {
      title: `${found.id} (${found.type})`,
      fields: [
        ['Description', found.description],
        ['Remarks', found.remarks],
        ['Tags', found.tags.join(', ')],
        ['Domains', globals.isJson ? '' : await domainNames(connection.client, found.domains, signal)],
        ['Updated', formatTime(found.updated_ts)],
      ],
      tables: [
        {
          title: `${found.columns.length} columns`,
          columns: COLUMNS,
          rows: found.columns.map((each) => [each.name, each.type, each.tags.join(', '), each.description]),
        },
      ],
    });
    if (terminal.stdout.isTerminal && !globals.isJson)
      await terminal.stderr.write(`\nRead it: sluice query 'SELECT * FROM ${found.id} LIMIT 10'\n`);
  },
});
