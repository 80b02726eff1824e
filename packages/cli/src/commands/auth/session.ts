import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { openStore } from '../../credentials/choose-store.ts';
import { endKeptSession } from '../../credentials/environment-session.ts';
import { endStoredSession } from '../../credentials/renew-credentials.ts';
import { withCredentialLock } from '../../credentials/stored-token.ts';
import { CommandError } from '../../errors.ts';
import { type Details, printDetails } from '../../output/print-details.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { readEnvironmentLogin } from '../../profiles/environment-login.ts';
import { openProfileFile, type Profile } from '../../profiles/profile-file.ts';
import { profileNameOf, resolveLogin } from '../../profiles/resolve-login.ts';
import { useProxies } from '../../profiles/use-proxies.ts';
import { formatFutureTime } from '../../times/time.ts';

/**
 * Ends the session that is kept for the credentials of the environment. Returns whether the environment has credentials.
 * @throws CommandError if no session is kept for them
 */
async function endEnvironmentSession(
  { environment, globals, signal, terminal }: CommandContext,
  isLocal: boolean,
): Promise<boolean> {
  if (globals.profile !== undefined || readEnvironmentLogin(environment) === undefined) return false;
  const folder = configFolder(environment);
  const profiles = await openProfileFile(folder).read();
  const resolved = resolveLogin({ environment, profile: undefined, profiles });
  const hosts = await useProxies(environment, resolved.hosts);
  const wasKept =
    resolved.kind === 'environment' &&
    !('token' in resolved.auth) &&
    (await endKeptSession({ folder, hosts, auth: resolved.auth }, isLocal ? undefined : signal));
  if (!wasKept)
    throw new CommandError(
      'The environment has the login, and no session of it is kept. Unset its SLUICE_ variables, or name a profile with --profile.',
    );
  await terminal.stderr.write(
    isLocal
      ? 'Removed the tokens that were kept for the credentials of the environment.\n'
      : 'Ended the session that was kept for the credentials of the environment.\n',
  );
  if (globals.isJson) await terminal.stdout.write(`${JSON.stringify({ profile: null, was_logged_in: true })}\n`);
  return true;
}

export const logout = defineCommand({
  name: 'logout',
  summary: 'End the session and remove its tokens',
  description:
    'The profile keeps its addresses. `sluice profile remove` forgets them too. With credentials of the environment, the session that is kept for them is ended.',
  arguments: {},
  options: {
    local: {
      kind: 'flag',
      meaning: 'Only remove the tokens, for hosts that cannot be reached. The session ends by itself later.',
    },
  },
  examples: [
    { command: 'logout', does: 'ends the session of the current profile', notRun: 'ends the login of the reader' },
    {
      command: 'logout --profile staging',
      does: 'ends the session of another one',
      notRun: 'ends the login of the reader',
    },
  ],
  routes: ['GET /auth/logout/{tenant}', 'POST /auth/refresh/{tenant}', 'POST /auth/{tenant}/oauth2/revoke'],
  files: [
    '~/.config/sluice/profiles.json',
    '~/.config/sluice/credentials/PROFILE.json',
    '~/.config/sluice/sessions/ID.json',
  ],
  run: async (context, { options }) => {
    if (await endEnvironmentSession(context, options.local)) return;
    const { environment, globals, signal, terminal } = context;
    const file = openProfileFile(configFolder(environment));
    const profiles = await file.read();
    const name = profileNameOf({ environment, profile: globals.profile, profiles });
    const profile = profiles.byName.get(name);
    const wasLoggedIn = profile?.login !== undefined;
    if (wasLoggedIn) {
      const owner = { folder: file.folder, profile: name };
      const store = openStore(profile.login.store, owner);
      const hosts = await useProxies(environment, profile);
      await withCredentialLock(owner, async () => {
        const stored = options.local ? undefined : await store.read();
        if (stored !== undefined) await endStoredSession(hosts, stored, { write: store.write, signal });
        await store.remove();
      });
      await file.change((before) => ({ ...before, byName: withoutLogin(before.byName, name) }));
    }
    await terminal.stderr.write(
      wasLoggedIn ? `Logged out of the profile ${name}.\n` : `The profile ${name} has no login. Nothing was done.\n`,
    );
    if (globals.isJson)
      await terminal.stdout.write(`${JSON.stringify({ profile: name, was_logged_in: wasLoggedIn })}\n`);
  },
});

function withoutLogin(byName: ReadonlyMap<string, Profile>, name: string): ReadonlyMap<string, Profile> {
  const profile = byName.get(name);
  return profile === undefined ? byName : new Map(byName).set(name, { ...profile, login: undefined });
}

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show the account, its permissions, the hosts, and where the login is kept',
  arguments: {},
  options: {},
  examples: [
    { command: 'whoami', does: 'shows who you are' },
    {
      command: 'whoami --profile staging --json',
      does: 'shows the account of another profile as JSON',
      notRun: 'needs a profile',
    },
  ],
  routes: ['GET /me'],
  run: async (context) => {
    const { client, apiUrl, streamUrl, login } = await context.connect();
    const me = await client.api.getMe({ signal: context.signal });
    const { source: credentials, profile = null } = login;
    const ends = me.session_expires_ts;
    const details: Details = {
      title: `${me.user} in ${me.tenant}`,
      fields: [
        ['Kind', me.kind === 'user' ? 'user' : 'service account'],
        ['Roles', me.roles.join(', ') || 'none'],
        ['Permissions', me.permissions.join(', ') || 'none'],
        ['API host', apiUrl],
        ['Stream host', streamUrl],
        ['Profile', profile],
        ['Session ends', ends === null ? null : formatFutureTime(ends, Date.now())],
        ['Login kept in', login.location],
      ],
    };
    await printDetails(context, { ...me, profile, api_url: apiUrl, stream_url: streamUrl, credentials }, details);
  },
});
