import { defineCommand } from '../../command.ts';
import { type ListOptions, printList } from '../../output/print-list.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { openProfileFile, type Profile } from '../../profiles/profile-file.ts';
import { profileNameOf } from '../../profiles/resolve-login.ts';

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
