import { defineCommand } from '../../command.ts';

/**
 * Completion scripts of the shells. Each calls `sluice __complete SHELL -- LINE ...` with the line up to the cursor. The command splits it
 * and writes the words as the shell needs them, so that the scripts need not quote: `print-completion.ts`.
 */
const COMPLETION_SCRIPTS = {
  // Works with the bash 3.2 of macOS, too, which has no compopt.
  bash: `_sluice() {
  local kind line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <("\${1/#\\~/$HOME}" __complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" "$COMP_TYPE" 2>/dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null ;;
    open) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local kind line
  local -a fields list open open_shown whole whole_shown
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    fields=("\${(@ps:\\t:)line}")
    if [[ $fields[1] == open ]]; then
      open+=("$fields[2]") open_shown+=("$fields[3]")
    else
      whole+=("$fields[2]") whole_shown+=("$fields[3]")
    fi
  done < <("\${(e)words[1]/#\\~/$HOME}" __complete zsh -- "\${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" "$PREFIX" 2>/dev/null)
  if [[ $kind == files ]]; then
    _files
    return
  fi
  [[ $kind == described ]] && list=(-l)
  (( \${#open} )) && compadd -U -Q -S '' $list -d open_shown -a open
  (( \${#whole} )) && compadd -U -Q $list -d whole_shown -a whole
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _sluice "$@"; else compdef _sluice sluice; fi
`,
  fish: `function __sluice_complete
    set -l program (commandline -opc)[1]
    set -l lines ($program __complete fish -- (commandline -cp | string collect) 2>/dev/null)
    if test "$lines[1]" = files
        __fish_complete_path (commandline -ct)
    else
        string join -- \\n $lines[2..-1]
    end
end
complete -c sluice -f -a '(__sluice_complete)'
`,
} as const;

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
