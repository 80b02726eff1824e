import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, readVariable } from '../environment.ts';
import { CommandError } from '../errors.ts';
import { splitCommand } from './program.ts';

const DEFAULT_EDITOR = 'vi';

/**
 * Opens a text in the editor of the user, on the terminal of the process, and waits until it is closed.
 * @returns the text as saved
 * @throws CommandError if there is no such editor, or it fails
 */
export async function editText(text: string, environment: Environment): Promise<string> {
  const editor = readVariable(environment, 'VISUAL') ?? readVariable(environment, 'EDITOR') ?? DEFAULT_EDITOR;
  // Only the user may read the folder.
  const folder = await mkdtemp(join(tmpdir(), 'sluice-sql-'));
  try {
    const path = join(folder, 'statement.sql');
    await writeFile(path, text);
    const [program, ...words] = splitCommand(editor, [path]);
    const child = spawn(program, words, { stdio: 'inherit' });
    const [code] = (await once(child, 'close').catch((cause: unknown) => {
      throw new CommandError(`The editor ${editor} could not be started. Set VISUAL or EDITOR.`, { cause });
    })) as [number | null];
    if (code !== 0)
      throw new CommandError(`The editor ${editor} failed, so the statement is as before. Set VISUAL or EDITOR.`);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
