import { type Client, ResponseError, type StreamOperationTypes } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { domainIds } from '../../names/domain-ids.ts';

type Item = StreamOperationTypes['getMarketplaceItem']['result'];
type Change = StreamOperationTypes['updateMarketplaceItem']['body'];

/** Values of the options. An absent one leaves the item as it is, and an empty text removes the value. */
interface EditOptions {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly tag: readonly string[];
  readonly domain: readonly string[];
  readonly license: string | undefined;
  readonly termsOfUse: string | undefined;
  readonly owner: string | undefined;
}

const isGiven = (value: EditOptions[keyof EditOptions]): boolean =>
  typeof value === 'object' ? value.length > 0 : value !== undefined;

/** Returns the new list, or the one before if none is given. One empty value removes all. */
const listOr = (given: readonly string[], before: readonly string[]): string[] =>
  given.length === 0 ? [...before] : given.filter((each) => each.trim() !== '');

async function toChange(client: Client, item: Item, options: EditOptions, signal: AbortSignal): Promise<Change> {
  const { title, description, tag, domain, license, termsOfUse, owner } = options;
  return {
    title: title ?? item.title,
    description: description ?? item.description,
    tags: listOr(tag, item.tags),
    domains: domain.length === 0 ? [...item.domains] : await domainIds(client, listOr(domain, []), signal),
    queries: item.queries.map(({ name, datamap_id }) => ({ name, datamap_id })),
    ...(license === undefined ? {} : { license }),
    ...(termsOfUse === undefined ? {} : { terms_of_use: termsOfUse }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** An item that was changed after it was read is left as it is. */
const explainConflict = (id: string) => (error: unknown) => {
  if (!(error instanceof ResponseError) || error.code !== 'precondition_failed') throw error;
  throw new CommandError(
    `Someone else changed ${id} meanwhile, so nothing was changed. See \`sluice market show ${id}\`, and run this again.`,
    { cause: error },
  );
};

export const marketEdit = defineCommand({
  name: 'market edit',
  summary: 'Change title, description, tags, domains, license, terms or owner of an item',
  description:
    'For its owner and admins; only an admin can name another owner. What you do not name stays as it is, and an empty text removes a value. A change by someone else meanwhile is never overwritten.',
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: {
    title: { kind: 'text', value: 'TEXT', meaning: 'New title.' },
    description: { kind: 'text', value: 'TEXT', meaning: 'New description, as Markdown.' },
    tag: { kind: 'list', value: 'TAG', meaning: 'Tag; several replace all tags.' },
    domain: { kind: 'list', value: 'NAME', meaning: 'Name of a domain; several replace all domains.' },
    license: { kind: 'text', value: 'NAME', meaning: 'Name of the license, such as CC-BY-4.0.' },
    termsOfUse: { kind: 'text', value: 'TEXT', meaning: 'What users may do with the data, as Markdown.' },
    owner: { kind: 'text', value: 'ACCOUNT', meaning: 'E-mail or client id of the new owner.' },
  },
  examples: [
    {
      command: 'market edit flight-pack --license CC0-1.0',
      does: 'sets the license',
      notRun: 'it changes an item of the demo',
    },
    {
      command: 'market edit flight-pack --domain Travel --owner steward@acme.example',
      does: 'gives it to another owner, in one domain',
      notRun: 'it changes an item of the demo',
    },
  ],
  routes: ['GET /marketplace/{id}', 'PUT /marketplace/{id}', 'GET /domains'],
  run: async ({ terminal, globals, connect, signal }, { arguments: { id }, options }) => {
    if (!Object.values(options).some(isGiven))
      throw new UsageError('Name what to change, such as --license NAME. See `sluice market edit --help`.');
    const { client } = await connect();
    const item = await client.stream.getMarketplaceItem({ params: { id }, signal });
    const changed = await client.stream
      .updateMarketplaceItem({
        params: { id },
        body: await toChange(client, item, options, signal),
        headers: { 'if-match': `"${item.version}"` },
        signal,
      })
      .catch(explainConflict(id));
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify(changed)}\n`);
    await terminal.stderr.write(`Changed ${id}, now version ${changed.version}. See \`sluice market show ${id}\`.\n`);
  },
});
