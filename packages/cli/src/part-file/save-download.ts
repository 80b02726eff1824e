import { stat } from 'node:fs/promises';
import {
  DOWNLOAD_FORMATS,
  type Download,
  type DownloadRequest,
  type DownloadTarget,
  SluiceError,
} from '@sluice/client';
import { receiptPathOf, toFile } from '@sluice/client/node';
import type { CommandContext, Connection } from '../context.ts';
import { CancelledError, UsageError } from '../errors.ts';
import { formatBytes, formatRows } from '../output/quantity.ts';
import { idleTimeoutMs } from '../profiles/idle-timeout.ts';
import { confirmCancel } from '../statement/confirm-cancel.ts';
import type { Output } from '../terminal/terminal.ts';
import { type DownloadDisplay, showDownload } from './download-progress.ts';
import { receiptFileText } from './receipt-file.ts';

interface SaveOptions {
  /** Path of the file; `-` for stdout. */
  readonly output: string | undefined;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  /** Longest silence in seconds. Undefined: `SLUICE_IDLE_TIMEOUT`, or no limit. */
  readonly idleTimeout: number | undefined;
}

const STDOUT = '-';

/** Writes a download to stdout as it arrives. What was written cannot be taken back, so the exit code tells. */
const toOutput = (output: Output, display: DownloadDisplay): DownloadTarget<undefined> => ({
  open: async () => ({
    write: async (chunk) => {
      await display.stopBefore(output);
      await output.write(chunk);
    },
    commit: async () => undefined,
    abort: async () => undefined,
  }),
});

function createTarget(
  context: CommandContext,
  connection: Connection,
  { output, force }: { readonly output: string; readonly force: boolean },
  display: DownloadDisplay,
) {
  if (output === STDOUT) return toOutput(context.terminal.stdout, display);
  return toFile(output, {
    overwrite: force,
    keepReceipt: (receipt) => receiptFileText(output, receipt, connection),
  });
}

/** Adds the full stop that messages of engines lack. */
const asSentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** Adds to an error what became of the file. Errors before the transfer say it themselves. */
async function withRest(error: unknown, output: string, hasBegun: boolean): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const isTargetError = error instanceof SluiceError && error.code === 'target_failed' && !hasBegun;
  const isThere = output !== STDOUT && (await stat(output).catch(() => undefined)) !== undefined;
  const left = isThere ? `The old ${output} is unchanged.` : `${output} was not written.`;
  const rest = output === STDOUT ? 'What was written to stdout is not a whole file.' : left;
  const message = error.message.replace(', or set overwrite.', ', or replace it with --force.');
  error.message = isTargetError ? message : `${asSentence(message)} ${rest}`;
  return error;
}

async function reportSaved(
  { terminal, globals }: CommandContext,
  output: string,
  { receipt }: Download<unknown>,
): Promise<void> {
  const isStdout = output === STDOUT;
  const size = `${formatRows(receipt.rows)}, ${formatBytes(receipt.bytes)}`;
  const proof = isStdout
    ? `SHA-256 and rows match the receipt of query ${receipt.query_id}.`
    : `SHA-256 and rows match the receipt, which is kept in ${receiptPathOf(output)}.`;
  await terminal.stderr.write(`${isStdout ? 'stdout' : output}: ${size}. ${proof}\n`);
  if (globals.isJson && !isStdout)
    await terminal.stdout.write(`${JSON.stringify({ file: output, receipt_file: receiptPathOf(output), receipt })}\n`);
}

/**
 * Downloads to a file or stdout, shows progress on stderr, and says there what is proven. A file gets its name, and its receipt beside it,
 * only when hash and row count equal the receipt.
 * @throws UsageError without an output, CancelledError that says whether the engine has stopped, or what the download throws
 */
export async function saveDownload(
  context: CommandContext,
  request: DownloadRequest,
  { output, force, idleTimeout }: SaveOptions,
): Promise<void> {
  if (output === undefined || output === '')
    throw new UsageError('Say where the file goes: -o FILE, or -o - for stdout.');
  if (output === STDOUT && context.terminal.stdout.isTerminal && isBinary(request))
    throw new UsageError(`A ${request.format} file is not for a terminal. Write it with -o FILE.`);
  const limit = idleTimeout === undefined ? idleTimeoutMs(context.environment) : idleTimeout * 1000;
  const connection = await context.connect();
  const { signal, terminal } = context;
  const display = showDownload(terminal.stderr, output === STDOUT ? 'stdout' : output);
  // Not after the download has ended, which itself waits for the host.
  let stopped: Promise<string> | undefined;
  const onAbort = (): void => {
    stopped = confirmCancel(connection.client, display.queryId(), '');
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const target: DownloadTarget<unknown> = createTarget(context, connection, { output, force }, display);
    const saved = await connection.client.download(request, target, {
      signal,
      onProgress: display.update,
      ...(limit === undefined ? {} : { idleTimeoutMs: limit }),
    });
    await display.stop();
    await reportSaved(context, output, saved);
  } catch (error) {
    await display.stop().catch(() => undefined);
    if (signal.aborted && signal.reason instanceof CancelledError) {
      stopped ??= confirmCancel(connection.client, display.queryId(), '');
      throw await withRest(new CancelledError(await stopped), output, true);
    }
    if ('sql' in request) {
      const { noteStatement } = await import('../output/sql-excerpt.ts');
      noteStatement(error, request.sql);
    }
    throw await withRest(error, output, display.queryId() !== undefined);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const isBinary = ({ format }: DownloadRequest): boolean => !DOWNLOAD_FORMATS[format].isText;
