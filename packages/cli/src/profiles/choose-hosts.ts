import type { CommandContext } from '../context.ts';
import type { TenantHosts } from '../credentials/renew-credentials.ts';
import { readVariable, type VariableName } from '../environment.ts';
import { UsageError } from '../errors.ts';
import { askLine } from '../terminal/prompt.ts';
import { guessFromApiUrl, readBaseUrl } from './base-url.ts';
import type { Profile } from './profile-file.ts';

/** Addresses that were given as options. */
interface HostOptions {
  readonly apiUrl: string | undefined;
  readonly streamUrl: string | undefined;
  readonly tenant: string | undefined;
}

interface Address {
  readonly option: string;
  readonly variable: VariableName;
  readonly question: string;
}

const API: Address = { option: '--api-url', variable: 'SLUICE_API_URL', question: 'URL of the API host' };
const STREAM: Address = { option: '--stream-url', variable: 'SLUICE_STREAM_URL', question: 'URL of the stream host' };
const TENANT: Address = { option: '--tenant', variable: 'SLUICE_TENANT', question: 'Tenant' };

/** Asks on a terminal for what no option and no variable says. */
async function ask({ terminal, signal }: CommandContext, address: Address): Promise<string> {
  if (!terminal.isInteractive) throw new UsageError(`Give ${address.option}, or set ${address.variable}.`);
  const text = await askLine(terminal, address.question, signal);
  if (text === '') throw new UsageError(`${address.question}: nothing was typed. Give ${address.option}.`);
  return text;
}

/**
 * Returns the hosts of a new login. Each address comes from its option, else its variable, else the profile, else the name of the API
 * host (`acme-api.example.com`), else a question. If the API host is another one than before, the profile says nothing about the rest.
 * @throws UsageError if an address is missing without a terminal to ask on, or is not valid
 */
export async function chooseHosts(
  context: CommandContext,
  options: HostOptions,
  profile: Profile | undefined,
): Promise<TenantHosts> {
  const given = (text: string | undefined, { option, variable }: Address, read: typeof readBaseUrl) => {
    if (text !== undefined) return read(option, text);
    const value = readVariable(context.environment, variable);
    return value === undefined ? undefined : read(variable, value);
  };
  const readTenant = (_name: string, text: string): string => text;
  const apiUrl =
    given(options.apiUrl, API, readBaseUrl) ?? profile?.apiUrl ?? readBaseUrl('The URL', await ask(context, API));
  const known = profile?.apiUrl === apiUrl ? profile : guessFromApiUrl(apiUrl);
  const tenant = given(options.tenant, TENANT, readTenant) ?? known.tenant ?? (await ask(context, TENANT));
  const streamUrl =
    given(options.streamUrl, STREAM, readBaseUrl) ??
    known.streamUrl ??
    readBaseUrl('The URL', await ask(context, STREAM));
  return { apiUrl, streamUrl, tenant };
}
