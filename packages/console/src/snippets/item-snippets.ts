import { type LinkParameters, linkQuery } from '../parameters/list-values.ts';
import {
  type Program,
  type ProgramAccess,
  quoteJson,
  quoteValue,
  shellWord,
  writeCurl,
  writePythonRequest,
  writeSdkClient,
} from './program.ts';

/** An item, and what a program needs to download it. */
export interface ItemSnippetInput extends ProgramAccess {
  /** Id of the item. */
  readonly id: string;
  readonly format: string;
  /** Ending of the file: an item of several queries is an archive. */
  readonly extension: string;
  readonly parameters: LinkParameters;
}

function linkOf({ id, format, parameters, streamUrl }: ItemSnippetInput): string {
  const query = linkQuery(parameters);
  const path = `${streamUrl}/marketplace/${encodeURIComponent(id)}/download/${format}`;
  return query === '' ? path : `${path}?${query}`;
}

/** The command line reads a JSON array as a list. */
const textOf = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const fileOf = ({ id, extension }: ItemSnippetInput): string => `${id}.${extension}`;

function cli(input: ItemSnippetInput): string {
  const values = Object.entries(input.parameters).map(
    ([name, value]) => `--param ${shellWord(`${name}=${textOf(value)}`)} `,
  );
  return `sluice market download ${shellWord(input.id)} --format ${input.format} ${values.join('')}-o ${shellWord(fileOf(input))}\n`;
}

const curl = (input: ItemSnippetInput): string =>
  writeCurl(input, [`-o ${shellWord(fileOf(input))}`, shellWord(linkOf(input))]);

const python = (input: ItemSnippetInput): string => `import base64, getpass, os, shutil, urllib.request

${writePythonRequest(input, linkOf(input))}
with urllib.request.urlopen(request) as response, open(${quoteJson(fileOf(input))}, "wb") as file:
    shutil.copyfileobj(response, file)
`;

function sdk(input: ItemSnippetInput): string {
  const { id, format, parameters } = input;
  const values = Object.entries(parameters).map(([name, value]) => `${name}: ${quoteValue(value)}`);
  const given = values.length === 0 ? '' : `, parameters: { ${values.join(', ')} }`;
  return `import { createClient } from '@sluice/client';
import { toFile } from '@sluice/client/node';

${writeSdkClient(input)}
const request = { itemId: ${quoteJson(id)}, format: ${quoteJson(format)}${given} };
await client.download(request, toFile(${quoteJson(fileOf(input))}));
`;
}

const WRITERS = { cli, curl, python, sdk } satisfies Record<Program, (input: ItemSnippetInput) => string>;

/** Returns a program that downloads an item. */
export const writeItemSnippet = (program: Program, input: ItemSnippetInput): string => WRITERS[program](input);
