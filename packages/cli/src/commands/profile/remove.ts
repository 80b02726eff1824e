import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { configFolder } from '../../profiles/config-folder.ts';
import { DEFAULT_PROFILE, openProfileFile } from '../../profiles/profile-file.ts';
import { requireKnownProfile } from '../../profiles/resolve-login.ts';

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
