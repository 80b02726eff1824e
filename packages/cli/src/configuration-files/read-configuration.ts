import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { CommandError } from '../errors.ts';
import { asFileError, FileFault } from '../text-files/file-fault.ts';
import { type ParsedYaml, parseYaml } from '../text-files/parse-yaml.ts';
import { TextCheck } from '../text-files/text-check.ts';

/** Limit of the API. */
const FILE_BYTES_MAX = 1024 * 1024;

export interface Configuration {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly placeOf: ParsedYaml['placeOf'];
}

async function openBytes(path: string, stdin: Readable, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return addAbortSignal(signal, stdin);
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`;
    throw new CommandError(`${path} ${reason}. Check the name.`, { cause });
  });
  return file.createReadStream();
}

/** Reads text up to a limit. */
async function readText(chunks: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const check = new TextCheck();
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) {
    check.add(chunk);
    read.push(chunk);
    if (check.bytes > FILE_BYTES_MAX)
      throw new CommandError(`${name} has more than 1 MiB, the limit of one file. Split it.`);
  }
  check.end();
  return new TextDecoder().decode(Buffer.concat(read));
}

function isConfiguration(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a configuration file, YAML or JSON.
 * @throws CommandError with the place of the first mistake
 */
export async function readConfiguration(path: string, stdin: Readable, signal: AbortSignal): Promise<Configuration> {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = await readText(await openBytes(path, stdin, signal), name);
    const { value, placeOf } = parseYaml(await import('yaml'), text);
    if (value === null) throw new CommandError(`${name} is empty. Write sections such as \`roles:\` and \`users:\`.`);
    if (!isConfiguration(value))
      throw new FileFault(1, 1, 'this is not a configuration; write sections such as `roles:` and `users:`');
    return { name, value, placeOf };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new CommandError(`${name} is a folder. Name a file.`, { cause: error });
    throw asFileError(name, error);
  }
}
