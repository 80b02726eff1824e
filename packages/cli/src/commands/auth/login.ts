import { type Client, createClient } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { type ChosenStore, chooseStore, openStore } from '../../credentials/choose-store.ts';
import type { CredentialStore, StoreOwner } from '../../credentials/credential-store.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { endSession, type TenantHosts } from '../../credentials/renew-credentials.ts';
import { withCredentialLock } from '../../credentials/stored-token.ts';
import { readVariable, type VariableName } from '../../environment.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { type Account, chooseAccount } from '../../login/choose-account.ts';
import { openAccount } from '../../login/open-account.ts';
import { guessFromApiUrl, isUnencrypted, readBaseUrl } from '../../profiles/base-url.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { describeEnvironmentLogin, readEnvironmentLogin } from '../../profiles/environment-login.ts';
import { openProfileFile, type Profile, type ProfileFile } from '../../profiles/profile-file.ts';
import { profileNameOf } from '../../profiles/resolve-login.ts';
import { useProxies } from '../../profiles/use-proxies.ts';
import { askLine } from '../../terminal/prompt.ts';

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

function requireNoEnvironmentLogin({ environment, globals }: CommandContext): void {
  if (globals.profile !== undefined) return;
  const auth = readEnvironmentLogin(environment);
  if (auth === undefined) return;
  throw new CommandError(
    `${describeEnvironmentLogin(auth)} set, and every command uses that instead of a login. Unset it to log in, or name a profile with --profile, which comes before the environment.`,
  );
}

/** Logs in, and asks both hosts who that is. A session that one of them does not accept is ended. */
async function logIn(
  context: CommandContext,
  hosts: TenantHosts,
  account: Account,
): Promise<{ readonly credentials: Credentials; readonly me: Me }> {
  const { signal } = context;
  const credentials = await openAccount(context, hosts, account);
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
    'Users of an identity provider log in in the browser. Without a browser, and with --device, the command shows a code for the browser of another device.',
    'The password or client secret is asked for on a terminal and not shown; else it is read from stdin, one line.',
    'The tokens are kept in the keyring of the system, else in a file that only you can read. A password is never kept; the secret of a service account is, because its tokens last an hour and cannot be renewed without it.',
    'The addresses are kept in the profile, so the next login needs none. For hosts named like acme-api.example.com, the tenant and the stream host follow from the name.',
  ].join('\n\n'),
  arguments: {},
  options: {
    browser: { kind: 'flag', meaning: 'Log in in the browser.' },
    device: { kind: 'flag', meaning: 'Log in in the browser of another device, with a code.' },
    email: { kind: 'text', value: 'EMAIL', meaning: 'Log in as a user, with a password.' },
    clientId: { kind: 'text', value: 'ID', meaning: 'Log in as a service account, with its secret.' },
    tenant: { kind: 'text', value: 'NAME', meaning: 'Name of the tenant; also SLUICE_TENANT.' },
    apiUrl: { kind: 'text', value: 'URL', meaning: 'URL of the API host; also SLUICE_API_URL.' },
    streamUrl: { kind: 'text', value: 'URL', meaning: 'URL of the stream host; also SLUICE_STREAM_URL.' },
  },
  examples: [
    {
      command: 'login --api-url https://acme-api.example.com --browser',
      does: 'opens the page of the login in the browser',
      notRun: 'opens a browser',
    },
    {
      command: 'login --device',
      does: 'shows a code for the browser of another device, such as on a server',
      notRun: 'waits for the user',
    },
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
  routes: [
    'GET /.well-known/oauth-authorization-server/auth/{tenant}',
    'POST /auth/{tenant}/oauth2/device_authorization',
    'POST /auth/{tenant}/oauth2/token',
    'POST /auth/login/{tenant}',
    'GET /me',
  ],
  files: ['~/.config/sluice/profiles.json', '~/.config/sluice/credentials/PROFILE.json'],
  run: async (context, { options }) => {
    requireNoEnvironmentLogin(context);
    const { environment, globals } = context;
    const file = openProfileFile(configFolder(environment));
    const profiles = await file.read();
    const profile = profileNameOf({ environment, profile: globals.profile, profiles });
    const account = await chooseAccount(context, options);
    const hosts = await chooseHosts(context, options, profiles.byName.get(profile));
    await warnUnencrypted(context, hosts);
    const owner = { folder: file.folder, profile };
    const chosen = await chooseStore(owner, environment);
    const { credentials, me } = await logIn(context, hosts, account);
    const kept = { kind: credentials.kind, account: me.user, store: chosen.store.kind };
    await saveLogin(context, file, { owner, store: chosen.store, credentials, profile: { ...hosts, login: kept } });
    await report(context, hosts, { me, chosen, profile });
  },
});
