import { type FoundDatamap, ResponseError } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { printDetails } from '../../output/print-details.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';
import { formatTime, isoTime } from '../../times/time.ts';

/** Columns of a list of datamaps. */
const DATAMAP_COLUMNS: readonly ListColumn<FoundDatamap>[] = [
  { title: 'Id', isWhole: true, cell: ({ id }) => id },
  { title: 'Name', cell: ({ datamap }) => datamap.display_name },
  { title: 'State', isWhole: true, cell: ({ datamap }) => datamap.state },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Owner', cell: ({ datamap }) => datamap.assigned.to },
  { title: 'Updated', cell: (entry) => formatTime(entry.updated_ts), value: (entry) => isoTime(entry.updated_ts) },
];

const SORT_KEYS = { updated: 'updated_ts', name: 'table_name.lowercase', queries: 'curated_info.query_count' } as const;

export const datamapList = defineCommand({
  name: 'datamap list',
  summary: 'List the datamaps that you may see',
  description:
    'With `--json`, one JSON object per line. Paging reaches 10,000 datamaps; narrow longer lists with `datamap search`.',
  arguments: {},
  options: {
    sort: {
      kind: 'text',
      value: 'KEY',
      choices: ['updated', 'name', 'queries'],
      default: 'updated',
      meaning: 'Newest change first, by name, or most used first.',
    },
    limit: { kind: 'integer', value: 'N', min: 1, default: 50, meaning: 'At most this many datamaps.' },
  },
  examples: [
    { command: 'datamap list', does: 'lists the datamaps that changed last' },
    { command: 'datamap list --sort name --json', does: 'prints them by name, one JSON object per line' },
  ],
  routes: ['POST /datamap/search'],
  run: async (context, { options: { sort, limit } }) => {
    const { client } = await context.connect();
    const search = { sort_key: SORT_KEYS[sort], sort_value: sort === 'name' ? 'asc' : 'desc' } as const;
    await printList(context, client.datamaps.search(search, { signal: context.signal }), {
      columns: DATAMAP_COLUMNS,
      what: 'datamaps',
      limit,
      empty:
        'No datamaps. Create one with `sluice api POST /datamap --data @FILE`; docs/api-guide.md shows its fields.',
    });
  },
});

export const datamapSearch = defineCommand({
  name: 'datamap search',
  summary: 'Find datamaps by words, best match first',
  description:
    'All words must match in name, description, tags or fields; the last one also matches the start of a word. With `--json`, one JSON object per line.',
  arguments: { words: { meaning: 'The words.', isRequired: true, isList: true } },
  options: {
    limit: { kind: 'integer', value: 'N', min: 1, default: 20, meaning: 'At most this many datamaps.' },
  },
  examples: [{ command: 'datamap search flights', does: 'finds datamaps about flights' }],
  routes: ['POST /datamap/search'],
  run: async (context, { arguments: { words }, options: { limit } }) => {
    const { client } = await context.connect();
    const q = words.join(' ');
    await printList(context, client.datamaps.search({ q }, { signal: context.signal }), {
      columns: DATAMAP_COLUMNS,
      what: 'matches',
      limit,
      empty: `No datamap matches "${q}". Try fewer words, or \`sluice search\` for tables and views too.`,
    });
  },
});

const FIELDS = [{ title: 'Field' }, { title: 'Type' }, { title: 'Tags' }, { title: 'Description' }];
const PARAMETERS = [
  { title: 'Parameter' },
  { title: 'Type' },
  { title: 'Required' },
  { title: 'Default' },
  { title: 'Description' },
];

const textOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

export const datamapShow = defineCommand({
  name: 'datamap show',
  summary: 'Describe a datamap with its SQL, parameters and fields',
  arguments: { id: { meaning: 'Id of the datamap.', isRequired: true, completes: 'datamap' } },
  options: {},
  examples: [
    {
      command: 'datamap show "$(sluice datamap search flights --json --limit 1 | jq -r .id)"',
      does: 'shows the best match of a search',
      notRun: 'it needs jq',
    },
  ],
  routes: ['GET /datamap/{id}'],
  run: async (context, { arguments: { id } }) => {
    const { client } = await context.connect();
    const found = await client.api.getDatamap({ params: { id }, signal: context.signal }).catch((error: unknown) => {
      if (!(error instanceof ResponseError) || error.status !== 404) throw error;
      throw new CommandError(`There is no datamap ${id}. \`sluice datamap list\` shows the ids.`, { cause: error });
    });
    const { datamap } = found;
    await printDetails(context, found, {
      title: `${datamap.display_name} (${datamap.state})`,
      fields: [
        ['Id', found.id],
        ['Description', found.description],
        ['Tags', found.tags.join(', ')],
        ['Owner', datamap.assigned.to],
        ['Expert', datamap.assigned.sme],
        ['Priority', datamap.priority],
        ['Reads', (found.reads ?? []).join(', ')],
        ['Updated', formatTime(found.updated_ts)],
        ['Published', formatTime(datamap.last_published_timestamp)],
        ['SQL', datamap.advanced_mode.sql, 'whole'],
      ],
      tables: [
        {
          title: 'Parameters',
          columns: PARAMETERS,
          rows: datamap.parameters.map((each) => [
            `$${each.name}`,
            each.type,
            each.required ? 'yes' : 'no',
            textOrNull(each.default),
            textOrNull(each.description),
          ]),
        },
        {
          title: 'Fields',
          columns: FIELDS,
          rows: datamap.datamap_fields.map((each) => [
            each.name,
            each.java_type.replace(/^java\.(?:lang|math|sql)\./, ''),
            each.tags.join(', '),
            each.description,
          ]),
        },
      ],
    });
  },
});
