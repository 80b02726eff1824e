import { type Client, createClient } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { type ChosenStore, chooseStore, openStore } from '../../credentials/choose-store.ts';
import type { CredentialStore, StoreOwner } from '../../credentials/credential-store.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { endSession, openClientSession, openSession, type TenantHosts } from '../../credentials/renew-credentials.ts';
import { withCredentialLock } from '../../credentials/stored-token.ts';
import { readVariable, type VariableName } from '../../environment.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { guessFromApiUrl, isUnencrypted, readBaseUrl } from '../../profiles/base-url.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { readEnvironmentLogin } from '../../profiles/environment-login.ts';
import { openProfileFile, type Profile, type ProfileFile } from '../../profiles/profile-file.ts';
import { profileNameOf } from '../../profiles/resolve-login.ts';
import { useProxies } from '../../profiles/use-proxies.ts';
import { askHidden, askLine, readPipedSecret } from '../../terminal/prompt.ts';

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
async function chooseHosts(
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
  return await useProxies(context.environment, { apiUrl, streamUrl, tenant });
}

interface NewLogin {
  readonly owner: StoreOwner;
  readonly store: CredentialStore;
  readonly credentials: Credentials;
  readonly profile: Profile;
}

/** Ends the session of credentials that are no longer needed. One that cannot be ended now ends by itself later. */
async function endQuietly(hosts: TenantHosts, credentials: Credentials | undefined): Promise<void> {
  if (credentials !== undefined) await endSession(hosts, credentials).catch(() => undefined);
}

/**
 * Stores a login and makes it the login of its profile. The session of the profile's previous login is ended.
 * @throws CommandError if it cannot be stored; then the new session is ended too
 */
async function saveLogin({ environment }: CommandContext, profiles: ProfileFile, login: NewLogin): Promise<void> {
  const { owner, store, credentials, profile } = login;
  const before = (await profiles.read()).byName.get(owner.profile);
  const previous = before?.login === undefined ? undefined : openStore(before.login.store, owner);
  try {
    await withCredentialLock(owner, async () => {
      // What cannot be read is replaced all the same: that is how a user gets rid of it.
      const replaced = await previous?.read().catch(() => undefined);
      await store.write(credentials);
      if (previous !== undefined && previous.kind !== store.kind) await previous.remove().catch(() => undefined);
      if (before !== undefined) await endQuietly(await useProxies(environment, before), replaced);
    });
    await profiles.change(({ current, byName }) => ({
      current: byName.has(current) ? current : owner.profile,
      byName: new Map(byName).set(owner.profile, profile),
    }));
  } catch (error) {
    await endQuietly(await useProxies(environment, profile), credentials);
    throw error;
  }
}

type Me = Awaited<ReturnType<Client['api']['getMe']>>;

/** An account without its secret. Browser and device login become more kinds. */
type Account = { readonly kind: 'email' | 'client'; readonly name: string };

function requireNoEnvironmentLogin({ environment, globals }: CommandContext): void {
  if (globals.profile !== undefined) return;
  const auth = readEnvironmentLogin(environment);
  if (auth === undefined) return;
  const names = 'clientId' in auth ? 'SLUICE_CLIENT_ID and SLUICE_CLIENT_SECRET' : 'SLUICE_EMAIL and SLUICE_PASSWORD';
  throw new CommandError(
    `${names} are set, and every command uses them instead of a login. Unset them to log in, or name a profile with --profile, which comes before the environment.`,
  );
}

const HOW = 'with --email EMAIL, or with --client-id ID';

async function chooseAccount(
  { terminal, signal }: CommandContext,
  { email, clientId }: { readonly email: string | undefined; readonly clientId: string | undefined },
): Promise<Account> {
  if (email !== undefined && clientId !== undefined)
    throw new UsageError('Give --email for a user or --client-id for a service account, not both.');
  if (email !== undefined) return { kind: 'email', name: email };
  if (clientId !== undefined) return { kind: 'client', name: clientId };
  if (!terminal.isInteractive) throw new UsageError(`Choose how to log in: ${HOW}, and the secret on stdin.`);
  await terminal.stderr.write('How do you want to log in?\n  1  e-mail and password\n  2  client id and secret\n');
  const choice = await askLine(terminal, 'Choose 1 or 2', signal);
  if (choice !== '1' && choice !== '2') throw new UsageError(`Neither 1 nor 2 was chosen. Log in ${HOW}.`);
  const kind = choice === '1' ? 'email' : 'client';
  const name = await askLine(terminal, kind === 'email' ? 'E-mail' : 'Client id', signal);
  if (name === '') throw new UsageError(`Nothing was typed. Log in ${HOW}.`);
  return { kind, name };
}

async function readSecret({ terminal, signal }: CommandContext, { kind }: Account): Promise<string> {
  const what = kind === 'email' ? 'password' : 'client secret';
  if (terminal.stdin.isTTY !== true) return await readPipedSecret(terminal, what, signal);
  if (!terminal.isInteractive)
    throw new UsageError(
      `The ${what} is asked for on a terminal only. Do not redirect the output, or pipe the ${what}.`,
    );
  const secret = await askHidden(terminal, kind === 'email' ? 'Password' : 'Client secret', signal);
  if (secret === '') throw new UsageError(`The ${what} is empty. Type it, or pipe it to stdin.`);
  return secret;
}

/** Logs in, and asks both hosts who that is. A session that one of them does not accept is ended. */
async function logIn(
  hosts: TenantHosts,
  { kind, name }: Account,
  secret: string,
  signal: AbortSignal,
): Promise<{ readonly credentials: Credentials; readonly me: Me }> {
  const credentials = await (kind === 'email'
    ? openSession(hosts, { email: name, password: secret }, signal)
    : openClientSession(hosts, { clientId: name, clientSecret: secret }, signal));
  try {
    const client = createClient({ ...hosts, auth: { token: () => credentials.access.value } });
    await client.stream.getMe({ signal });
    return { credentials, me: await client.api.getMe({ signal }) };
  } catch (error) {
    await endSession(hosts, credentials).catch(() => undefined);
    throw error;
  }
}

async function report(
  { terminal, globals }: CommandContext,
  hosts: TenantHosts,
  { me, chosen, profile }: { readonly me: Me; readonly chosen: ChosenStore; readonly profile: string },
): Promise<void> {
  const { store, fallbackReason } = chosen;
  const to = profile === 'default' ? '' : ` to the profile ${profile}`;
  await terminal.stderr.write(`Logged in${to} as ${visibleLine(`${me.user} in ${me.tenant}`)}.\n`);
  if (fallbackReason !== undefined)
    await terminal.stderr.write(
      `The login is kept in ${store.location}, which only you can read, because no keyring is available: ${fallbackReason}.\n`,
    );
  if (!globals.isJson) return;
  const document = {
    profile,
    ...{ user: me.user, kind: me.kind, tenant: me.tenant },
    ...{ api_url: hosts.apiUrl, stream_url: hosts.streamUrl },
    ...{ credentials: store.kind, session_expires_ts: me.session_expires_ts },
  };
  await terminal.stdout.write(`${JSON.stringify(document)}\n`);
}

async function warnUnencrypted({ terminal }: CommandContext, { apiUrl, streamUrl }: TenantHosts): Promise<void> {
  for (const url of [apiUrl, streamUrl].filter(isUnencrypted))
    await terminal.stderr.write(`warning: ${url} is not encrypted. Others on the way can read the login; use https.\n`);
}

export const login = defineCommand({
  name: 'login',
  summary: 'Log in, and keep the login for later commands',
  description: [
    'The password or client secret is asked for on a terminal and not shown; else it is read from stdin, one line.',
    'The tokens are kept in the keyring of the system, else in a file that only you can read. A password is never kept; the secret of a service account is, because its tokens last an hour and cannot be renewed without it.',
    'The addresses are kept in the profile, so the next login needs none. For hosts named like acme-api.example.com, the tenant and the stream host follow from the name.',
  ].join('\n\n'),
  arguments: {},
  options: {
    email: { kind: 'text', value: 'EMAIL', meaning: 'Log in as a user, with a password.' },
    clientId: { kind: 'text', value: 'ID', meaning: 'Log in as a service account, with its secret.' },
    tenant: { kind: 'text', value: 'NAME', meaning: 'Name of the tenant; also SLUICE_TENANT.' },
    apiUrl: { kind: 'text', value: 'URL', meaning: 'URL of the API host; also SLUICE_API_URL.' },
    streamUrl: { kind: 'text', value: 'URL', meaning: 'URL of the stream host; also SLUICE_STREAM_URL.' },
  },
  examples: [
    {
      command: 'login --api-url https://acme-api.example.com --email ann@acme.example',
      does: 'asks for the password and logs in',
      notRun: 'opens a session',
    },
    {
      command: 'login --client-id acme-etl <<< "$CLIENT_SECRET"',
      does: 'logs in as a service account',
      notRun: 'opens a session',
    },
    {
      command: 'login --profile staging --email ann@acme.example',
      does: 'keeps the login in a profile of its own',
      notRun: 'opens a session',
    },
  ],
  routes: ['POST /auth/login/{tenant}', 'POST /auth/{tenant}/oauth2/token', 'GET /me'],
  files: ['~/.config/sluice/profiles.json', '~/.config/sluice/credentials/PROFILE.json'],
  run: async (context, { options }) => {
    requireNoEnvironmentLogin(context);
    const { environment, globals, signal } = context;
    const file = openProfileFile(configFolder(environment));
    const profiles = await file.read();
    const profile = profileNameOf({ environment, profile: globals.profile, profiles });
    const account = await chooseAccount(context, options);
    const hosts = await chooseHosts(context, options, profiles.byName.get(profile));
    await warnUnencrypted(context, hosts);
    const owner = { folder: file.folder, profile };
    const chosen = await chooseStore(owner, environment);
    const secret = await readSecret(context, account);
    const { credentials, me } = await logIn(hosts, account, secret, signal);
    const kept = { kind: credentials.kind, account: me.user, store: chosen.store.kind };
    await saveLogin(context, file, { owner, store: chosen.store, credentials, profile: { ...hosts, login: kept } });
    await report(context, hosts, { me, chosen, profile });
  },
});
