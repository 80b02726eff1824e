import { defineCommand } from '../../command.ts';
import { COMPLETION_SCRIPTS } from '../../completion/scripts.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print the completion script of a shell',
  description: [
    'Completes commands, options and their values, and names from the hosts: catalogs, schemas, tables, datamaps, items, queries and profiles; in a statement also columns. Names need a login; without one, or if a host does not respond within a second, the rest is completed.',
    'bash: `eval "$(sluice completion bash)"` in `~/.bashrc`. zsh: `eval "$(sluice completion zsh)"` in `~/.zshrc`, after `compinit`. fish: `sluice completion fish > ~/.config/fish/completions/sluice.fish`.',
  ].join('\n\n'),
  arguments: { shell: { meaning: 'The shell.', isRequired: true, choices: ['bash', 'zsh', 'fish'] } },
  options: {},
  examples: [{ command: 'completion bash > sluice.bash', does: 'writes the script; `source sluice.bash` uses it' }],
  routes: [],
  run: async ({ terminal: { stdout } }, { arguments: { shell } }) => await stdout.write(COMPLETION_SCRIPTS[shell]),
});
