import {
  type Client,
  DOWNLOAD_FORMATS,
  ITEM_FORMATS,
  type MarketplaceItem,
  type StreamOperationTypes,
} from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { type Details, printDetails } from '../../output/print-details.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';
import { formatBytes, formatCount, formatRows } from '../../output/quantity.ts';
import { chooseFormat } from '../../part-file/choose-format.ts';
import { saveDownload } from '../../part-file/save-download.ts';
import { SAVE_DESCRIPTION, SAVE_FILES, SAVE_OPTIONS } from '../../part-file/save-options.ts';
import { PARAMETER_MEANING, PARAMETER_RULES, parseParameters } from '../../statement/parse-parameters.ts';
import { formatTime, isoTime } from '../../times/time.ts';

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

type Item = StreamOperationTypes['getMarketplaceItem']['result'];
type AccessRequest = StreamOperationTypes['listMarketplaceAccess']['result']['data'][number];
type Declaration = Item['queries'][number]['parameters'][number];
type Shown = Item & { readonly access_request: AccessRequest | null };

const day = (ms: number | null): string => isoTime(ms)?.replace(/T.*$/, '') ?? 'never';

/** Parameters of all queries of an item, by name. */
function collectParameters({ queries }: Item): readonly Declaration[] {
  const declared = new Map<string, Declaration>();
  for (const each of queries.flatMap(({ parameters }) => parameters))
    if (!declared.has(each.name)) declared.set(each.name, each);
  return [...declared.values()];
}

/** Your latest access request, if you have no access. */
async function findRequest(client: Client, item: Item, signal: AbortSignal): Promise<AccessRequest | undefined> {
  if (item.is_granted) return undefined;
  const { data } = await client.stream.listMarketplaceAccess({ params: { id: item.id }, signal });
  if (data.length === 0) return undefined;
  // An admin sees the requests of all users.
  const { user } = await client.stream.getMe({ signal });
  return data.find((each) => each.user === user);
}

function accessText({ id, is_granted: isGranted, access_request: request }: Shown): string {
  if (isGranted) return `yes: sluice market download ${id} --format csv -o ${id}.csv`;
  if (request?.state === 'PENDING') return `requested on ${day(request.created_ts)}, not yet decided`;
  const refused = request?.state === 'REFUSED' ? `refused on ${day(request.decided_ts)}. ` : '';
  return `no: ${refused}sluice market request ${id} --reason '...'`;
}

/** Known facts about the age of the data, in words that claim no more. */
function freshnessText({ freshness }: Item): string {
  const { data_changed_ts: changed, tables_seen_ts: seen, missing_table_count: missing } = freshness;
  return [
    'read when you download it',
    ...(changed === null ? ['when it last changed is not known'] : [`its files last changed ${formatTime(changed)}`]),
    ...(seen === null ? [] : [`its tables were last seen ${formatTime(seen)}`]),
    ...(missing === 0
      ? []
      : [`${formatCount(missing)} of its tables ${missing === 1 ? 'is' : 'are'} missing, so a download may fail`]),
  ].join('; ');
}

function sizeText({ last_complete_download: last }: Item): string {
  if (last === null) return 'not known: there was no complete download yet';
  return `${formatRows(last.rows)}, ${formatBytes(last.bytes)} as ${last.format}, in a download of ${day(last.ended_ts)}`;
}

const toFields = (item: Shown): Details['fields'] => [
  ['Description', item.description],
  ['Access', accessText(item), 'whole'],
  ['License', item.license],
  ['Terms of use', item.terms_of_use],
  ['Data', freshnessText(item)],
  ['Size', sizeText(item)],
  ['Owner', item.owner],
  ['Tags', item.tags.join(', ')],
  ['Domains', item.domain_names.join(', ')],
  ['Rating', item.rating === null ? 'none' : item.rating.toFixed(1)],
  ['Downloads', `${item.download_count}, last ${day(item.last_downloaded_ts)}`],
  ['Version', `${item.version}, of ${day(item.updated_ts)} by ${item.updated_by}`],
];

const columnTable = ({ name, is_published: isPublished, columns }: Item['queries'][number]) => ({
  title: `${name}${isPublished ? '' : ' (not published: the item cannot be downloaded now)'}`,
  columns: [{ title: 'Column' }, { title: 'Type' }, { title: 'Description' }],
  // A table without rows would be left out, with its title.
  rows:
    columns.length === 0
      ? [['not known', '', '']]
      : columns.map(({ name: column, type, description }) => [column, type, description ?? '']),
});

const parameterRow = (each: Declaration): string[] => [
  each.name,
  each.type,
  each.required ? 'yes' : '',
  each.default === null ? '' : JSON.stringify(each.default),
  (each.allowed_values ?? []).map((value) => JSON.stringify(value)).join(', '),
  each.description ?? '',
];

const PARAMETER_COLUMNS = ['Name', 'Type', 'Required', 'Default', 'Allowed', 'Description'].map((title) => ({ title }));

const toDetails = (item: Shown): Details => ({
  title: `${item.title} (${item.id})`,
  fields: toFields(item),
  tables: [
    ...item.queries.map(columnTable),
    {
      title: 'Parameters (--param NAME=VALUE)',
      columns: PARAMETER_COLUMNS,
      rows: collectParameters(item).map(parameterRow),
    },
  ],
});

export const marketShow = defineCommand({
  name: 'market show',
  summary: 'Show an item: its columns, parameters, license, age, size, owner, and whether you may download it',
  description: '--json prints the item with `access_request`: your latest one, or null.',
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: {},
  examples: [{ command: 'market show flights-by-origin', does: 'shows an item' }],
  routes: ['GET /marketplace/{id}', 'GET /marketplace/{id}/access-requests', 'GET /me'],
  run: async (context, { arguments: { id } }) => {
    const { signal } = context;
    const { client } = await context.connect();
    const item = await client.stream.getMarketplaceItem({ params: { id }, signal });
    const request = await findRequest(client, item, signal);
    const shown = { ...item, access_request: request ?? null };
    await printDetails(context, shown, toDetails(shown));
  },
});

export const marketRequest = defineCommand({
  name: 'market request',
  summary: 'Request access to an item from its owner',
  description: 'The owner or an admin decides. `sluice market show ID` shows the state of your request.',
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: { reason: { kind: 'text', value: 'TEXT', meaning: 'What you need the data for. Required.' } },
  examples: [
    {
      command: "market request flight-pack --reason 'Delay report of June'",
      does: 'requests access',
      notRun: 'the demo has granted every item',
    },
  ],
  routes: ['POST /marketplace/{id}/access-requests'],
  run: async ({ terminal, globals, connect, signal }, { arguments: { id }, options: { reason } }) => {
    if (reason === undefined || reason.trim() === '')
      throw new UsageError("Say what you need the data for: --reason 'TEXT'.");
    const { client } = await connect();
    const request = await client.stream.requestMarketplaceAccess({ params: { id }, body: { reason }, signal });
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify(request)}\n`);
    await terminal.stderr.write(
      `Requested. The owner of ${id} decides; \`sluice market show ${id}\` shows what was decided.\n`,
    );
  },
});

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const TEXT_FORMATS = ITEM_FORMATS.filter((format) => DOWNLOAD_FORMATS[format].isText);

export const marketDownload = defineCommand({
  name: 'market download',
  summary: 'Save an item of the marketplace, proven complete',
  description: `An item with several queries is a ZIP archive for ${listed(TEXT_FORMATS)}, and one workbook for xlsx.\n\n${SAVE_DESCRIPTION}\n\n${PARAMETER_RULES}`,
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: {
    ...SAVE_OPTIONS,
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: ITEM_FORMATS,
      meaning: 'Format of the file, or of the files in the archive. Default: by the extension of FILE.',
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
    { command: 'market download flights-by-origin -o flights.csv', does: 'saves an item with one query' },
    { command: 'market download flight-pack --format csv -o flights.zip', does: 'saves an item with several queries' },
  ],
  routes: ['POST /marketplace/download', 'GET /query/{id}', 'DELETE /query/{id}', 'GET /me'],
  files: SAVE_FILES,
  exitCodes: [3],
  run: async (context, { arguments: { id }, options }) => {
    const { compression } = options;
    const format = chooseFormat(options.output, { given: options.format, formats: ITEM_FORMATS, by: '--format' });
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
