import { type Client, createClient } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { type ChosenStore, chooseStore } from '../../credentials/choose-store.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { endSession, openClientSession, openSession, type TenantHosts } from '../../credentials/renew-credentials.ts';
import { saveLogin } from '../../credentials/save-login.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { isUnencrypted } from '../../profiles/base-url.ts';
import { chooseHosts } from '../../profiles/choose-hosts.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { readEnvironmentLogin } from '../../profiles/environment-login.ts';
import { openProfileFile } from '../../profiles/profile-file.ts';
import { profileNameOf } from '../../profiles/resolve-login.ts';
import { askHidden, askLine, readPipedSecret } from '../../terminal/prompt.ts';

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
    if (credentials.kind === 'session') await endSession(hosts, credentials).catch(() => undefined);
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
  await terminal.stderr.write(`Logged in${to} as ${me.user} in ${me.tenant}.\n`);
  if (fallbackReason !== undefined)
    await terminal.stderr.write(
      `The login is kept in ${store.place}, which only you can read, because no keyring is available: ${fallbackReason}.\n`,
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
    await saveLogin(file, { owner, store: chosen.store, credentials, profile: { ...hosts, login: kept } });
    await report(context, hosts, { me, chosen, profile });
  },
});
