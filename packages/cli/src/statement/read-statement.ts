import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface StatementSource {
  /** Argument of the command; `-` means stdin. */
  readonly sql: string | undefined;
  /** Value of `--file`; `-` means stdin. */
  readonly file: string | undefined;
  /** Command whose help says more, such as `query`. */
  readonly command: string;
}

/** Reads stdin to its end, however slowly it arrives. */
async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) chunks.push(chunk as Uint8Array);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    // A byte order mark is dropped.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError(`${name} is not UTF-8. Convert it and run the command again.`, { cause });
  }
}

/**
 * Reads a file with statements.
 * @throws UsageError if it cannot be read or is not UTF-8
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : `could not be read (${cause.code ?? cause.message})`;
    throw new UsageError(`The file ${file} ${reason}. Check the path.`, { cause });
  });
  return decode(bytes, `The file ${file}`);
}

/**
 * Returns the statement of a command: its argument, the text of a file, or all of stdin.
 * @throws UsageError if there is none, or two
 */
export async function readStatement(
  { sql, file, command }: StatementSource,
  terminal: Pick<Terminal, 'stdin'>,
  signal: AbortSignal,
): Promise<string> {
  const help = `See \`sluice ${command} --help\`.`;
  if (sql !== undefined && file !== undefined) throw new UsageError(`Give a statement or --file, not both. ${help}`);
  const source = sql ?? file;
  const isStdin = source === '-' || (source === undefined && terminal.stdin.isTTY !== true);
  if (source === undefined && !isStdin)
    throw new UsageError(`A statement is missing. Give it as an argument, with --file or on stdin. ${help}`);
  const text = isStdin ? decode(await readAll(terminal.stdin, signal), 'The text on stdin') : '';
  const statement = isStdin ? text : file === undefined ? (sql ?? '') : await readText(file);
  if (statement.trim() === '') throw new UsageError(`The statement is empty. ${help}`);
  return statement;
}
