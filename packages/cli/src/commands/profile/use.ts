import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { openProfileFile } from '../../profiles/profile-file.ts';
import { requireKnownProfile } from '../../profiles/resolve-login.ts';

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
