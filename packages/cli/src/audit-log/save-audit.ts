import { stat } from 'node:fs/promises';
import { SluiceError } from '@sluice/client';
import { saveFile } from '@sluice/client/node';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { showDownload } from '../part-file/download-progress.ts';
import { SAVE_OPTIONS } from '../part-file/save-options.ts';

/** Options of the commands that save a part of the audit log. */
export const SAVE_AUDIT_OPTIONS = {
  ...SAVE_OPTIONS,
  force: { kind: 'flag', meaning: 'Replace an existing file.' },
} as const;

export const SAVE_AUDIT_FILES = [
  '`FILE.part`: the bytes until they are whole. Removed when the command fails; only kill -9 or a crash leaves it, and the next run replaces it',
];

const STDOUT = '-';

interface SaveAuditOptions {
  readonly output: string;
  readonly force: boolean;
}

/** Counts bytes on a progress line until the source ends, or until its bytes may appear on the same terminal. */
async function* withProgress(
  { terminal: { stdout, stderr } }: CommandContext,
  output: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const display = showDownload(stderr, output === STDOUT ? 'stdout' : output);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      display.update({ bytes });
      if (output === STDOUT) await display.stopBefore(stdout);
      yield chunk;
    }
  } finally {
    await display.stop();
  }
}

/** Adds to an error what became of the file. */
async function withRest(error: unknown, output: string): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  if (error instanceof SluiceError && error.code === 'target_failed') {
    error.message = error.message.replace(', or set overwrite.', ', or replace it with --force.');
    return error;
  }
  const isThere = (await stat(output).catch(() => undefined)) !== undefined;
  error.message += isThere ? ` The old ${output} is unchanged.` : ` ${output} was not written.`;
  return error;
}

/**
 * Writes bytes to a file, which gets its name when the source has ended, or to stdout.
 * @param source - throws if its end is not that of a whole file
 */
export async function saveAudit(
  context: CommandContext,
  source: AsyncIterable<Uint8Array>,
  { output, force }: SaveAuditOptions,
): Promise<void> {
  const { stdout } = context.terminal;
  if (output !== STDOUT) {
    try {
      return await saveFile(output, withProgress(context, output, source), { overwrite: force });
    } catch (error) {
      throw await withRest(error, output);
    }
  }
  try {
    for await (const chunk of withProgress(context, output, source)) await stdout.write(chunk);
  } catch (error) {
    if (error instanceof SluiceError) error.message += ' What was written to stdout is not a whole file.';
    throw error;
  }
}

/**
 * Returns the path of `--output`.
 * @throws UsageError without one, and for stdout if that is a terminal, which would execute escape sequences in the data
 */
export function requireOutput({ terminal: { stdout } }: CommandContext, output: string | undefined): string {
  if (output === undefined || output === '')
    throw new UsageError('Say where the file goes: -o FILE, or -o - for stdout.');
  if (output === STDOUT && stdout.isTerminal)
    throw new UsageError(
      'An export is not for a terminal. Write it with -o FILE, or read it with `sluice audit search`.',
    );
  return output;
}
