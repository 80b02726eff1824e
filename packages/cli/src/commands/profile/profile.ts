import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { type ListOptions, printList } from '../../output/print-list.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { DEFAULT_PROFILE, openProfileFile, type Profile } from '../../profiles/profile-file.ts';
import { profileNameOf, requireKnownProfile } from '../../profiles/resolve-login.ts';

interface Entry extends Profile {
  readonly name: string;
  readonly isUsed: boolean;
}

const LIST: ListOptions<Entry> = {
  what: 'profiles',
  empty: 'No profiles. Run `sluice login` to add one.',
  columns: [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Used', cell: ({ isUsed }) => (isUsed ? 'yes' : null) },
    { title: 'Account', cell: ({ login }) => login?.account ?? null },
    { title: 'Tenant', cell: ({ tenant }) => tenant },
    { title: 'API host', cell: ({ apiUrl }) => apiUrl },
    { title: 'Stream host', cell: ({ streamUrl }) => streamUrl },
    { title: 'Login kept in', cell: ({ login }) => login?.store ?? null },
  ],
  toJson: ({ name, isUsed, login, tenant, apiUrl, streamUrl }) => ({
    ...{ name, is_used: isUsed, account: login?.account ?? null, tenant },
    ...{ api_url: apiUrl, stream_url: streamUrl, credentials: login?.store ?? null },
  }),
};

export const profileList = defineCommand({
  name: 'profile list',
  summary: 'List the profiles',
  description: 'With `--json`, one JSON object per line.',
  arguments: {},
  options: {},
  examples: [
    {
      command: 'profile list',
      does: 'shows every profile with its account and hosts',
      notRun: 'there is no profile yet',
    },
  ],
  routes: [],
  files: ['~/.config/sluice/profiles.json'],
  run: async (context) => {
    const { environment, globals } = context;
    const profiles = await openProfileFile(configFolder(environment)).read();
    const used = profileNameOf({ environment, profile: globals.profile, profiles });
    const entries = async function* () {
      for (const [name, profile] of profiles.byName) yield { ...profile, name, isUsed: name === used };
    };
    await printList(context, entries(), LIST);
  },
});

export const profileUse = defineCommand({
  name: 'profile use',
  summary: 'Choose the profile that commands use when none is named',
  arguments: { name: { meaning: 'Name of the profile.', isRequired: true, completes: 'profile' } },
  options: {},
  examples: [
    { command: 'profile use staging', does: 'uses the profile staging from now on', notRun: 'needs a profile' },
  ],
  routes: [],
  files: ['~/.config/sluice/profiles.json'],
  run: async ({ terminal, environment, globals }, { arguments: { name } }) => {
    if (globals.profile !== undefined) throw new CommandError('Give the name of the profile once, without --profile.');
    await openProfileFile(configFolder(environment)).change((before) => {
      requireKnownProfile(before, name);
      return { ...before, current: name };
    });
    await terminal.stderr.write(`The profile ${name} is used from now on.\n`);
    if (globals.isJson) await terminal.stdout.write(`${JSON.stringify({ name, is_current: true })}\n`);
  },
});

export const profileRemove = defineCommand({
  name: 'profile remove',
  summary: 'Forget a profile without a login',
  arguments: { name: { meaning: 'Name of the profile.', isRequired: true, completes: 'profile' } },
  options: {},
  examples: [
    { command: 'profile remove staging', does: 'forgets the addresses of staging', notRun: 'needs a profile' },
  ],
  routes: [],
  files: ['~/.config/sluice/profiles.json'],
  run: async ({ terminal, environment, globals }, { arguments: { name } }) => {
    await openProfileFile(configFolder(environment)).change((before) => {
      // Its tokens would stay, and its session would go on.
      if (requireKnownProfile(before, name).login !== undefined)
        throw new CommandError(`The profile ${name} is logged in. Run \`sluice logout --profile ${name}\` first.`);
      const byName = new Map([...before.byName].filter(([each]) => each !== name));
      const current = before.current === name ? (byName.keys().next().value ?? DEFAULT_PROFILE) : before.current;
      return { current, byName };
    });
    await terminal.stderr.write(`The profile ${name} was removed.\n`);
    if (globals.isJson) await terminal.stdout.write(`${JSON.stringify({ name, is_removed: true })}\n`);
  },
});
