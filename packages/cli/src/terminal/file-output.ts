import { open } from 'node:fs/promises';
import { CommandError } from '../errors.ts';
import type { Output } from './terminal.ts';

/** A file that results are written to. */
export interface FileOutput extends Output {
  readonly path: string;
  readonly close: () => Promise<void>;
}

const codeOf = (error: unknown): string => String(error instanceof Error ? Reflect.get(error, 'code') : error);

/**
 * Creates a file for results. A file that exists is not touched.
 * @throws CommandError if it exists or cannot be created
 */
export async function createFileOutput(path: string): Promise<FileOutput> {
  const file = await open(path, 'wx').catch((cause: unknown) => {
    const reason = codeOf(cause) === 'EEXIST' ? 'exists' : `cannot be created (${codeOf(cause)})`;
    throw new CommandError(`${path} ${reason}. Choose another name.`, { cause });
  });
  return {
    path,
    isTerminal: false,
    hasColor: false,
    columns: 80,
    rows: 24,
    write: async (data) => {
      await file.writeFile(data).catch((cause: unknown) => {
        throw new CommandError(`${path} cannot be written (${codeOf(cause)}). Check the free space.`, { cause });
      });
    },
    close: async () => await file.close(),
  };
}
