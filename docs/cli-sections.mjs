// Sections of cli.md, from the declarations of the commands in packages/cli/src.

const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
const table = (headings, rows) => [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n');
const code = (text) => `\`${text}\``;

/** Exit codes that every command has. */
const COMMON_EXIT_CODES = [0, 1, 2, 4, 130, 141];

function optionRow(name, option, kebabCase) {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const value = option.kind === 'flag' ? '' : ` ${option.value}`;
  const notes = [
    option.choices === undefined ? [] : [`One of ${option.choices.map(code).join(', ')}.`],
    option.kind === 'integer' ? [`From ${option.min}${option.max === undefined ? '' : ` to ${option.max}`}.`] : [],
    option.kind === 'list' ? ['May be repeated.'] : [],
    option.default === undefined ? [] : [`Default: ${code(option.default)}.`],
  ].flat();
  return [code(`${short}--${kebabCase(name)}${value}`), [option.meaning, ...notes].join(' ')];
}

function argumentRow(name, argument, kebabCase) {
  const notes = [
    argument.choices === undefined ? [] : [`One of ${argument.choices.map(code).join(', ')}.`],
    argument.isRequired === true ? [] : ['Optional.'],
  ].flat();
  return [code(kebabCase(name)), [argument.meaning, ...notes].join(' ')];
}

function usageOf(command, kebabCase) {
  const args = Object.entries(command.arguments).map(([name, { isRequired, isList }]) => {
    const text = `${kebabCase(name)}${isList === true ? '...' : ''}`;
    return isRequired === true ? `<${text}>` : `[${text}]`;
  });
  return ['sluice', command.name, '[options]', ...args].join(' ');
}

const exampleOf = ({ command, does, notRun }) =>
  `${notRun === undefined ? '' : `<!-- not run: ${notRun} -->\n\n`}\`\`\`sh\n# ${does}\nsluice ${command}\n\`\`\``;

function sectionOf(command, kebabCase) {
  const args = Object.entries(command.arguments).map(([name, each]) => argumentRow(name, each, kebabCase));
  const options = Object.entries(command.options).map(([name, each]) => optionRow(name, each, kebabCase));
  const exitCodes = [...new Set([...COMMON_EXIT_CODES, ...(command.exitCodes ?? [])])].sort((a, b) => a - b);
  const facts = [
    ...(command.routes.length === 0 ? [] : [['Requests', command.routes.map(code).join(', ')]]),
    ...((command.files ?? []).length === 0 ? [] : [['Files', command.files.join('; ')]]),
    ['Exit codes', exitCodes.join(', ')],
  ];
  return [
    `### sluice ${command.name}`,
    `${command.summary}.`,
    ...(command.description === undefined ? [] : [command.description]),
    `\`\`\`text\n${usageOf(command, kebabCase)}\n\`\`\``,
    ...(args.length === 0 ? [] : [table(['Argument', 'Meaning'], args)]),
    ...(options.length === 0 ? [] : [table(['Option', 'Meaning'], options)]),
    ...command.examples.map(exampleOf),
    table(['', ''], facts),
  ].join('\n\n');
}

/**
 * Returns the generated parts of cli.md by their names.
 * @param cli - the exports of packages/cli/src/index.ts
 */
export function cliSections({ COMMANDS, EXIT_CODES, GLOBAL_OPTIONS, kebabCase }) {
  return {
    list: table(
      ['Command', 'Does'],
      COMMANDS.map(({ name, summary }) => [`[\`${name}\`](#sluice-${name.replaceAll(' ', '-')})`, summary]),
    ),
    options: table(
      ['Option', 'Meaning'],
      Object.entries(GLOBAL_OPTIONS).map(([name, option]) => optionRow(name, option, kebabCase)),
    ),
    'exit-codes': table(
      ['Code', 'Meaning'],
      EXIT_CODES.map((each) => [each.code, each.meaning]),
    ),
    commands: COMMANDS.map((command) => sectionOf(command, kebabCase)).join('\n\n'),
  };
}

/** Returns one line per command with its arguments and options, for packages/cli/tests/command-tree.txt. */
export function commandTree({ COMMANDS, kebabCase }) {
  const lines = COMMANDS.map((command) => {
    const words = usageOf(command, kebabCase)
      .split(' ')
      .slice(1)
      .filter((word) => word !== '[options]');
    const options = Object.entries(command.options).map(([name, { kind, short }]) => {
      const text = `${short === undefined ? '' : `-${short}|`}--${kebabCase(name)}`;
      return kind === 'flag' ? text : `${text}=`;
    });
    return [...words, ...options].join(' ');
  });
  return `${lines.join('\n')}\n`;
}
