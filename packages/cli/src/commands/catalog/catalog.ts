import { ResponseError } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { Connection } from '../../context.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { domainNames } from '../../names/domain-names.ts';
import { parseQualifiedName, qualifiedName } from '../../names/qualified-name.ts';
import { readDefaultSchema, resolveTable } from '../../names/resolve-table.ts';
import { printDetails } from '../../output/print-details.ts';
import { type ListOptions, printList } from '../../output/print-list.ts';
import { formatTime, isoTime } from '../../times/time.ts';

type Catalogs = Connection['client']['catalog'];
type EntryOf<List extends keyof Catalogs> =
  ReturnType<Catalogs[List]> extends AsyncGenerator<infer Entry> ? Entry : never;

const CATALOGS: ListOptions<EntryOf<'catalogs'>> = {
  what: 'catalogs',
  empty: 'No catalogs. An administrator reads them with POST /admin/harvest.',
  columns: [
    { title: 'Name', isWhole: true, cell: ({ name }) => name },
    { title: 'Schemas', isRight: true, cell: (entry) => entry.schema_count },
    { title: 'Tables', isRight: true, cell: (entry) => entry.table_count },
    { title: 'Engine', cell: (entry) => entry.vendor_name },
    { title: 'Location', cell: ({ location }) => location },
    {
      title: 'Harvested',
      cell: (entry) => formatTime(entry.harvested_ts),
      value: (entry) => isoTime(entry.harvested_ts),
    },
  ],
};

const SCHEMAS: ListOptions<EntryOf<'schemas'>> = {
  what: 'schemas',
  columns: [
    { title: 'Name', isWhole: true, cell: ({ name }) => name },
    { title: 'Tables', isRight: true, cell: (entry) => entry.table_count },
  ],
};

const TABLES: ListOptions<EntryOf<'tables'>> = {
  what: 'tables',
  columns: [
    { title: 'Name', isWhole: true, cell: ({ name }) => name },
    { title: 'Type', cell: ({ type }) => type },
    { title: 'Tags', cell: ({ tags }) => tags.join(', ') },
    { title: 'Description', cell: ({ description, remarks }) => description ?? remarks },
  ],
};

/** A page is not larger than what is shown, so that a short list is one short request. */
const pageSize = (limit: number | undefined): number => Math.min((limit ?? 999) + 1, 1000);

export const catalogList = defineCommand({
  name: 'catalog list',
  summary: 'List the catalogs, the schemas of one, or the tables of a schema',
  description: 'Reads what the last harvest found. With `--json`, one JSON object per line.',
  arguments: {
    scope: {
      meaning: 'CATALOG, CATALOG.SCHEMA, or both words with a space. Without it: the catalogs.',
      isList: true,
      completes: 'schema',
    },
  },
  options: {
    prefix: {
      kind: 'text',
      value: 'TEXT',
      meaning: 'Only names that begin with this string, with case as in the engine.',
    },
    limit: { kind: 'integer', value: 'N', min: 1, meaning: 'At most this many names. Default: all.' },
  },
  examples: [
    { command: 'catalog list', does: 'lists the catalogs' },
    { command: 'catalog list demo', does: 'lists the schemas of the catalog demo' },
    { command: 'catalog list demo.vega --prefix f', does: 'lists the tables of a schema that begin with f' },
    {
      command: 'catalog list demo.vega --json --limit 2',
      does: 'prints the first two tables, one JSON object per line',
    },
  ],
  routes: ['GET /catalog', 'GET /catalog/{catalog}', 'GET /catalog/{catalog}/{schema}'],
  run: async (context, { arguments: { scope = [] }, options: { prefix, limit } }) => {
    const parts =
      scope.length === 0
        ? []
        : parseQualifiedName(scope.join('.'), { min: 1, max: 3, form: 'CATALOG or CATALOG.SCHEMA' });
    if (parts.length > 2)
      throw new UsageError(
        `\`sluice catalog show ${qualifiedName(parts)}\` describes a table. Leave its name out to list tables.`,
      );
    const [catalog, schema] = parts;
    const { client } = await context.connect();
    const filters = {
      ...(prefix === undefined ? {} : { prefix }),
      size: pageSize(limit),
      signal: context.signal,
    };
    try {
      if (catalog === undefined)
        return await printList(context, client.catalog.catalogs(filters), { ...CATALOGS, limit });
      if (schema === undefined)
        return await printList(context, client.catalog.schemas(catalog, filters), { ...SCHEMAS, limit });
      await printList(context, client.catalog.tables(catalog, schema, filters), { ...TABLES, limit });
    } catch (error) {
      if (!(error instanceof ResponseError) || error.status !== 404) throw error;
      const above = schema === undefined ? '' : ` ${qualifiedName([catalog ?? ''])}`;
      throw new CommandError(
        `${qualifiedName(parts)} does not exist. \`sluice catalog list${above}\` shows what does.`,
        {
          cause: error,
        },
      );
    }
  },
});

const COLUMNS = [{ title: 'Column' }, { title: 'Type' }, { title: 'Tags' }, { title: 'Description' }];

export const catalogShow = defineCommand({
  name: 'catalog show',
  summary: 'Describe a table or view with its columns',
  description: 'A name without a catalog or schema costs a short query, which asks the engine for its defaults.',
  arguments: {
    table: {
      meaning:
        'CATALOG.SCHEMA.TABLE, or less, as in a statement: the engine knows its default catalog and schema. A part with a dot is written in double quotes.',
      isRequired: true,
      isList: true,
      completes: 'table',
    },
  },
  options: {},
  examples: [
    { command: 'catalog show flights', does: 'shows descriptions, tags, domains and columns' },
    { command: 'catalog show demo.vega.flights --json', does: 'prints them as one JSON document' },
  ],
  routes: ['GET /catalog/{catalog}/{schema}/{table}', 'GET /domains/{id}', 'POST /query', 'POST /datamap/search'],
  run: async (context, { arguments: { table: name } }) => {
    const connection = await context.connect();
    const { signal, terminal, globals } = context;
    const found = await resolveTable(connection.client, name.join('.'), {
      signal,
      readDefaults: () => readDefaultSchema(connection.client, signal),
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
      await terminal.stderr.write(`\nRead it: sluice query 'SELECT * FROM ${visibleLine(found.id)} LIMIT 10'\n`);
  },
});
