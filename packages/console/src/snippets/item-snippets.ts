import { quoteJson, quoteShell } from './quote-text.ts';

/** Programs that download an item. */
export const ITEM_PROGRAMS = ['cli', 'curl', 'python', 'sdk'] as const;
export type ItemProgram = (typeof ITEM_PROGRAMS)[number];

export interface ItemSnippetInput {
  /** Id of the item. */
  readonly id: string;
  readonly format: string;
  /** Ending of the file: an item of several queries is an archive. */
  readonly extension: string;
  /** Values of the parameters as texts, by name without `$`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** E-mail of the user. The password is never part of a snippet. */
  readonly user: string;
}

/** Returns a text as one word of a shell, without quotes where it needs none. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoteShell(text));

function linkOf({ id, format, parameters, streamUrl }: ItemSnippetInput): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [`p.${name}`, value])).toString();
  const path = `${streamUrl}/marketplace/${encodeURIComponent(id)}/download/${format}`;
  return query === '' ? path : `${path}?${query}`;
}

const fileOf = ({ id, extension }: ItemSnippetInput): string => `${id}.${extension}`;

function cli(input: ItemSnippetInput): string {
  const values = Object.entries(input.parameters).map(([name, value]) => `--param ${word(`${name}=${value}`)} `);
  return `sluice market download ${input.id} --format ${input.format} ${values.join('')}-o ${fileOf(input)}`;
}

const curl = (input: ItemSnippetInput): string =>
  `curl -fsS -u ${word(input.user)} ${word(linkOf(input))} -o ${fileOf(input)}`;

const python = (input: ItemSnippetInput): string =>
  [
    'import base64, getpass, shutil, urllib.request',
    '',
    `user = ${quoteJson(input.user)}`,
    'basic = base64.b64encode(f"{user}:{getpass.getpass()}".encode()).decode()',
    'request = urllib.request.Request(',
    `    ${quoteJson(linkOf(input))},`,
    '    headers={"authorization": f"Basic {basic}"},',
    ')',
    `with urllib.request.urlopen(request) as response, open(${quoteJson(fileOf(input))}, "wb") as file:`,
    '    shutil.copyfileobj(response, file)',
  ].join('\n');

function sdk(input: ItemSnippetInput): string {
  const { id, format, parameters, tenant, apiUrl, streamUrl, user } = input;
  const values = Object.entries(parameters).map(([name, value]) => `${name}: ${quoteJson(value)}`);
  const given = values.length === 0 ? '' : `, parameters: { ${values.join(', ')} }`;
  return [
    "import { createClient } from '@sluice/client';",
    "import { toFile } from '@sluice/client/node';",
    '',
    'const client = createClient({',
    `  tenant: ${quoteJson(tenant)},`,
    `  streamUrl: ${quoteJson(streamUrl)},`,
    `  apiUrl: ${quoteJson(apiUrl)},`,
    `  auth: { email: ${quoteJson(user)}, password: process.env.SLUICE_PASSWORD },`,
    '});',
    `const request = { itemId: ${quoteJson(id)}, format: ${quoteJson(format)}${given} };`,
    `await client.download(request, toFile(${quoteJson(fileOf(input))}));`,
  ].join('\n');
}

const WRITERS = { cli, curl, python, sdk } satisfies Record<ItemProgram, (input: ItemSnippetInput) => string>;

/** Returns a program that downloads an item. */
export const writeItemSnippet = (program: ItemProgram, input: ItemSnippetInput): string => WRITERS[program](input);
