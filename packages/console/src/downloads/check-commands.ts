/** Returns a string as one word of a POSIX shell. */
const quote = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the name as an argument that no program takes for an option. */
const asPath = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

/** A command that compares a file with the receipt, in the folder of the file. */
export interface CheckCommand {
  readonly id: 'sluice' | 'sha256sum';
  readonly text: string;
}

/** Returns the commands that check a file. The first one needs the saved receipt beside the file. */
export const checkCommands = (fileName: string, sha256: string): readonly CheckCommand[] => [
  { id: 'sluice', text: `sluice verify ${quote(asPath(fileName))}` },
  { id: 'sha256sum', text: `echo ${quote(`${sha256}  ${asPath(fileName)}`)} | sha256sum --check` },
];
