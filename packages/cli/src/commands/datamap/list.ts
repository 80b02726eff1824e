import { defineCommand } from '../../command.ts';
import { DATAMAP_COLUMNS } from '../../output/datamap-columns.ts';
import { printList } from '../../output/print-list.ts';

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
