import { defineCommand } from '../../command.ts';
import { DATAMAP_COLUMNS } from '../../output/datamap-columns.ts';
import { printList } from '../../output/print-list.ts';

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
