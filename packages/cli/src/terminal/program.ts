/** Characters that only a shell understands, as git decides it. */
const SHELL_SYNTAX = /[|&;<>()$`\\"'*?[#~=%\n]/;

/**
 * Returns the program and the arguments of a command from a variable, such as PAGER or EDITOR.
 * @param files - arguments behind it
 */
export function splitCommand(command: string, files: readonly string[] = []): readonly [program: string, ...string[]] {
  if (!SHELL_SYNTAX.test(command)) {
    const [program = '', ...words] = command.split(/\s+/);
    return [program, ...words, ...files];
  }
  return files.length === 0 ? ['sh', '-c', command] : ['sh', '-c', `${command} "$@"`, 'sh', ...files];
}
