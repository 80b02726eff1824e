import type { Client, StreamOperationTypes } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { domainNames } from '../../names/domain-names.ts';
import { type Details, printDetails } from '../../output/print-details.ts';

type Item = StreamOperationTypes['getMarketplaceItem']['result'];
type AccessRequest = StreamOperationTypes['listMarketplaceAccess']['result']['data'][number];
type Declaration = Item['queries'][number]['parameters'][number];
type Shown = Item & { readonly access_request: AccessRequest | null };

const day = (ms: number | null): string => (ms === null ? 'never' : new Date(ms).toISOString().slice(0, 10));

/** Parameters of all queries of an item, by name. */
function parametersOf({ queries }: Item): readonly Declaration[] {
  const declared = new Map<string, Declaration>();
  for (const each of queries.flatMap(({ parameters }) => parameters))
    if (!declared.has(each.name)) declared.set(each.name, each);
  return [...declared.values()];
}

/** Your latest access request, if you have no access. */
async function requestOf(client: Client, item: Item, signal: AbortSignal): Promise<AccessRequest | undefined> {
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

const fieldsOf = (item: Shown, domains: string): Details['fields'] => [
  ['Description', item.description],
  ['Access', accessText(item), 'whole'],
  ['Owner', item.owner],
  ['Tags', item.tags.join(', ')],
  ['Domains', domains],
  ['Rating', item.rating === null ? 'none' : item.rating.toFixed(1)],
  ['Downloads', `${item.download_count}, last ${day(item.last_downloaded_ts)}`],
  ['Version', `${item.version}, of ${day(item.updated_ts)} by ${item.updated_by}`],
];

const columnTable = ({ name, is_published: isPublished, columns }: Item['queries'][number]) => ({
  title: `${name}${isPublished ? '' : ' (not published: the item cannot be downloaded now)'}`,
  columns: [{ title: 'Column' }, { title: 'Type' }],
  // A table without rows would be left out, with its title.
  rows: columns.length === 0 ? [['not known', '']] : columns.map((column) => [column.name, column.type]),
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

const detailsOf = (item: Shown, domains: string): Details => ({
  title: `${item.title} (${item.id})`,
  fields: fieldsOf(item, domains),
  tables: [
    ...item.queries.map(columnTable),
    {
      title: 'Parameters (--param NAME=VALUE)',
      columns: PARAMETER_COLUMNS,
      rows: parametersOf(item).map(parameterRow),
    },
  ],
});

export const marketShow = defineCommand({
  name: 'market show',
  summary: 'Show an item: its columns, parameters, owner, and whether you may download it',
  description: '--json prints the item with `access_request`: your latest one, or null.',
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: {},
  examples: [{ command: 'market show flights-by-origin', does: 'shows an item' }],
  routes: ['GET /marketplace/{id}', 'GET /marketplace/{id}/access-requests', 'GET /me', 'GET /domains/{id}'],
  run: async (context, { arguments: { id } }) => {
    const { signal } = context;
    const { client } = await context.connect();
    const item = await client.stream.getMarketplaceItem({ params: { id }, signal });
    const request = await requestOf(client, item, signal);
    const shown = { ...item, access_request: request ?? null };
    const domains = context.globals.isJson ? '' : await domainNames(client, item.domains, signal);
    await printDetails(context, shown, detailsOf(shown, domains));
  },
});
