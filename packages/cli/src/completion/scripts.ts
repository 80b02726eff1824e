/**
 * Completion scripts of the shells. Each calls `sluice __complete -- WORD...` with the words up to the cursor, and reads `:files` or lines
 * of a word, a tab and a description. A word that ends with a dot is the beginning of a longer name, so no space follows it.
 */
export const COMPLETION_SCRIPTS = {
  // COMP_WORDBREAKS holds = and :, so `--format=csv` arrives as three words.
  bash: `_sluice() {
  local line words=() i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == = && i -lt COMP_CWORD ]]; then continue; fi
    if [[ \${COMP_WORDS[i]} == = ]]; then words+=(''); else words+=("\${COMP_WORDS[i]}"); fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" __complete -- "\${words[@]}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *. ]]; then compopt -o nospace; fi
}
complete -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local line word
  local -a described open
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    word=\${line%%$'\\t'*}
    if [[ $word == *. ]]; then
      open+=("$word")
    elif [[ $line == *$'\\t'* ]]; then
      described+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    else
      described+=("\${word//:/\\\\:}")
    fi
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#open} )); then compadd -S '' -a open; fi
  if (( \${#described} )); then _describe 'sluice' described; fi
}
compdef _sluice sluice
`,
  fish: `function __sluice_complete
    set -l words (commandline -opc) (commandline -ct)
    if test (count (commandline -opc)) -eq (count $words)
        set -a words ''
    end
    set -l lines ($words[1] __complete -- $words[2..-1] 2>/dev/null)
    if test "$lines[1]" = ':files'
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $lines
    end
end
complete -c sluice -f -a '(__sluice_complete)'
`,
} as const;
