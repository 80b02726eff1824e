import { defineCommand } from '../../command.ts';
import { VARIABLES } from '../../environment.ts';
import { EXIT_CODES } from '../../exit-code.ts';

const ORDER = [
  'A command uses the first login of these:',
  '  1. the profile of --profile; then the credentials and addresses of the environment are ignored',
  '  2. SLUICE_CLIENT_ID and SLUICE_CLIENT_SECRET',
  '  3. SLUICE_EMAIL and SLUICE_PASSWORD',
  '  4. the profile of SLUICE_PROFILE',
  '  5. the profile chosen by `sluice profile use`, at first `default`',
  '',
  'With credentials of the environment, an address comes from its variable, else from the profile.',
  'With the login of a profile, an address of the environment that differs from the profile is an error.',
].join('\n');

const formatList = (entries: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...entries.map(([name]) => name.length)) + 2;
  return entries.map(([name, meaning]) => `${name.padEnd(width)}${meaning}\n`).join('');
};

export const help = defineCommand({
  name: 'help',
  summary: 'Explain a command, the environment variables or the exit codes',
  description: '`sluice help COMMAND` is `sluice COMMAND --help`.',
  arguments: {
    topic: { meaning: 'What to explain.', isRequired: true, choices: ['environment', 'exit-codes'] },
  },
  options: {},
  examples: [
    { command: 'help environment', does: 'lists every variable, and which login comes first' },
    { command: 'help exit-codes', does: 'lists the exit codes' },
  ],
  routes: [],
  run: async ({ terminal: { stdout }, globals: { isJson } }, { arguments: { topic } }) => {
    if (topic === 'exit-codes') {
      const text = formatList(EXIT_CODES.map(({ code, meaning }) => [String(code), meaning]));
      return await stdout.write(isJson ? `${JSON.stringify(EXIT_CODES)}\n` : text);
    }
    await stdout.write(
      isJson ? `${JSON.stringify(VARIABLES)}\n` : `${formatList(Object.entries(VARIABLES))}\n${ORDER}\n`,
    );
  },
});
