import { defineCommand } from '../../command.ts';
import type { Connection } from '../../context.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';

const KINDS = ['ITEM', 'DATAMAP', 'TABLE', 'VIEW'] as const;
type Kind = (typeof KINDS)[number];

/** A match, in the shape that `--json` prints. */
interface Match {
  readonly type: Kind;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly string[];
}

interface Matches {
  readonly total: number;
  readonly found: readonly Match[];
}

const COLUMNS: readonly ListColumn<Match>[] = [
  { title: 'Type', cell: ({ type }) => type },
  { title: 'Id', isWhole: true, cell: ({ id }) => id },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Tags', cell: ({ tags }) => tags.join(', ') },
  { title: 'Description', cell: ({ description }) => description },
];

interface Search {
  readonly q: string;
  readonly size: number;
  readonly signal: AbortSignal;
}

async function findItems({ client }: Connection, { q, size, signal }: Search): Promise<Matches> {
  const { total, data } = await client.stream.listMarketplace({ query: { q, size }, signal });
  return {
    total,
    found: data.map(({ id, title: name, description, tags }) => ({ type: 'ITEM', id, name, description, tags })),
  };
}

async function findObjects(
  { client }: Connection,
  type: Exclude<Kind, 'ITEM'>,
  { q, size, signal }: Search,
): Promise<Matches> {
  const body = { q, from: 0, size, advance_options: { type } };
  const { total, data } = await client.api.searchDatamaps({ body, signal });
  return {
    total,
    found: data.map(({ id, description, remarks, tags, datamap }) => ({
      type,
      id,
      name: type === 'DATAMAP' ? datamap.display_name : (id.split('.').at(-1) ?? id),
      description: description ?? remarks,
      tags,
    })),
  };
}

export const search = defineCommand({
  name: 'search',
  summary: 'Find marketplace items, datamaps, tables and views by words',
  description: 'All words must match in names, descriptions, tags or columns. With `--json`, one JSON object per line.',
  arguments: { words: { meaning: 'The words.', isRequired: true, isList: true } },
  options: {
    type: { kind: 'text', value: 'TYPE', choices: KINDS, meaning: 'Only this type.' },
    limit: { kind: 'integer', value: 'N', min: 1, max: 1000, default: 10, meaning: 'At most this many of each type.' },
  },
  examples: [
    { command: 'search flights', does: 'finds everything about flights' },
    { command: 'search --type TABLE weather', does: 'finds tables about the weather' },
  ],
  routes: ['GET /marketplace', 'POST /datamap/search'],
  run: async (context, { arguments: { words }, options: { type, limit } }) => {
    const connection = await context.connect();
    const q = words.join(' ');
    const input = { q, size: limit, signal: context.signal };
    const cut: string[] = [];
    const matches = async function* () {
      for (const kind of type === undefined ? KINDS : [type]) {
        const { total, found } = await (kind === 'ITEM'
          ? findItems(connection, input)
          : findObjects(connection, kind, input));
        yield* found;
        if (total > found.length) cut.push(`${found.length} of ${total} of type ${kind}`);
      }
    };
    const empty = `Nothing matches "${q}". Try fewer words.`;
    await printList(context, matches(), { columns: COLUMNS, what: 'matches', empty });
    if (cut.length > 0) await context.terminal.stderr.write(`Shown: ${cut.join(', ')}. Use --limit N to see more.\n`);
  },
});
