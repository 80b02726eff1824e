import type { MarketplaceItem } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';

const COLUMNS: readonly ListColumn<MarketplaceItem>[] = [
  { title: 'Id', cell: ({ id }) => id },
  { title: 'Access', cell: ({ is_granted: isGranted }) => (isGranted ? 'yes' : 'no') },
  { title: 'Queries', isRight: true, cell: ({ queries }) => queries.length },
  { title: 'Owner', cell: ({ owner }) => owner },
  { title: 'Title', cell: ({ title }) => title },
];

export const marketList = defineCommand({
  name: 'market list',
  summary: 'List the items of the marketplace',
  description:
    'The column access says whether you may download an item now. An item is found if all words are in its title, description or tags. With `--json`, one JSON object per line.',
  arguments: { words: { meaning: 'Words to search for. Default: all items.', isList: true } },
  options: {},
  examples: [
    { command: 'market list', does: 'lists all items, by title' },
    { command: 'market list flights delay', does: 'lists items with both words' },
  ],
  routes: ['GET /marketplace'],
  run: async (context, { arguments: { words = [] } }) => {
    const { client } = await context.connect();
    const filter = words.length === 0 ? undefined : words.join(' ');
    await printList(context, client.marketplace.search(filter, { signal: context.signal }), {
      columns: COLUMNS,
      what: 'items',
      empty: words.length === 0 ? 'The marketplace has no items.' : 'No item matches. `sluice market list` lists all.',
    });
  },
});
