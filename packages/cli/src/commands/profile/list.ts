import { defineCommand } from '../../command.ts';
import { writeFields } from '../../output/fields.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { openProfileFile } from '../../profiles/profile-file.ts';
import { profileNameOf } from '../../profiles/resolve-login.ts';

export const profileList = defineCommand({
  name: 'profile list',
  summary: 'List the profiles; the one in use is marked with *',
  arguments: {},
  options: {},
  examples: [{ command: 'profile list', does: 'shows every profile with its account and hosts' }],
  routes: [],
  files: ['~/.config/sluice/profiles.json'],
  run: async ({ terminal, environment, globals }) => {
    const profiles = await openProfileFile(configFolder(environment)).read();
    const used = profileNameOf({ environment, profile: globals.profile, profiles });
    const rows = [...profiles.byName].map(([name, { login, apiUrl, streamUrl, tenant }]) => ({
      name,
      is_current: name === used,
      account: login?.account ?? null,
      ...{ tenant, api_url: apiUrl, stream_url: streamUrl, credentials: login?.store ?? null },
    }));
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify(rows)}\n`);
    if (rows.length === 0)
      return await terminal.stderr.write('There is no profile yet. Run `sluice login` to add one.\n');
    const fields = rows.map(({ name, is_current, account, tenant, api_url }): [string, string] => [
      `${is_current ? '*' : ' '} ${name}`,
      account === null ? `not logged in; ${tenant} at ${api_url}` : `${account} in ${tenant} at ${api_url}`,
    ]);
    await writeFields(terminal.stdout, fields);
  },
});
