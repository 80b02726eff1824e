import { stat } from 'node:fs/promises';
import {
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadOptions,
  type DownloadRequest,
  type DownloadTarget,
  type KeptResult,
  type Receipt,
  ResponseError,
  type ResultFormatOptions,
  SluiceError,
} from '@sluice/client';
import { discardPart, partFactsPathOf, receiptPathOf, toFile } from '@sluice/client/node';
import type { CommandContext, Connection } from '../context.ts';
import { CancelledError, CommandError, UsageError } from '../errors.ts';
import { formatBytes, formatRows } from '../output/quantity.ts';
import { idleTimeoutMs } from '../profiles/idle-timeout.ts';
import { CANCELLED_IN_ENGINE, confirmCancel } from '../statement/confirm-cancel.ts';
import type { Output } from '../terminal/terminal.ts';
import { type DownloadDisplay, showDownload } from './download-progress.ts';
import { type PartFacts, partFactsText, type ResultFileInput, readPartFacts, requireSameOrigin } from './part-facts.ts';
import { receiptFileText } from './receipt-file.ts';

interface SaveOptions {
  /** Path of the file; `-` for stdout. */
  readonly output: string | undefined;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  /** Longest silence in seconds. Undefined: `SLUICE_IDLE_TIMEOUT`, or no limit. */
  readonly idleTimeout: number | undefined;
}

/** Options of a target of the client that depend on the download. */
type TargetOptions = Pick<NonNullable<Parameters<typeof toFile>[1]>, 'keepReceipt' | 'keepPart' | 'continuePart'>;

/** Bytes that were saved, with what proves them. */
interface Saved {
  readonly queryId: string;
  readonly bytes: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
  /** Receipt that has the hash; undefined for a kept result, whose hash the host sends with the file. */
  readonly receipt: Receipt | undefined;
}

/** A download: how it is run, and how it is stopped. */
interface Transfer {
  readonly format: DownloadFormat;
  /** Statement, for the place of a mistake in it. */
  readonly sql?: string;
  /** Throws if the download does not fit the login. */
  readonly check?: (connection: Connection, output: string) => void;
  readonly targetOptions: (connection: Connection, output: string) => TargetOptions;
  readonly run: (connection: Connection, target: DownloadTarget<unknown>, options: DownloadOptions) => Promise<Saved>;
  /** Returns the sentence for a stop by Ctrl-C. */
  readonly stop: (connection: Connection, queryId: string | undefined) => Promise<string>;
  /**
   * Removes the part file unless a later try can continue it.
   * @param error - what ended the download, or the CancelledError that says how it was stopped
   */
  readonly settlePart: (connection: Connection, output: string, error: unknown) => Promise<void>;
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

/** Adds the full stop that messages of engines lack. */
const asSentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

const isThere = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  );

/** Adds to an error what happened to the file. Errors before the transfer say it themselves. */
async function withRest(error: unknown, output: string, hasBegun: boolean): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const isTargetError = error instanceof SluiceError && error.code === 'target_failed' && !hasBegun;
  const left =
    output !== STDOUT && (await isThere(output)) ? `The old ${output} is unchanged.` : `${output} was not written.`;
  const hasPart = output !== STDOUT && (await isThere(partFactsPathOf(output)));
  const part = hasPart ? ` \`sluice download --resume -o ${output}\` continues ${output}.part.` : '';
  const rest = output === STDOUT ? 'What was written to stdout is not a whole file.' : `${left}${part}`;
  const message = error.message.replace(', or set overwrite.', ', or replace it with --force.');
  error.message = isTargetError ? message : `${asSentence(message)} ${rest}`;
  return error;
}

/** Returns what proves the bytes, in a sentence. */
function proofOf(output: string, { queryId, receipt }: Saved): string {
  if (receipt === undefined) return `Length and SHA-256 match those of the kept result of query ${queryId}.`;
  return output === STDOUT
    ? `SHA-256 and rows match the receipt of query ${queryId}.`
    : `SHA-256 and rows match the receipt, which is kept in ${receiptPathOf(output)}.`;
}

async function reportSaved(
  { terminal, globals }: CommandContext,
  { output, cuts }: { readonly output: string; readonly cuts: number },
  saved: Saved,
): Promise<void> {
  const { queryId, bytes, sha256, receipt } = saved;
  const isStdout = output === STDOUT;
  const rows = receipt === undefined ? '' : `${formatRows(receipt.rows)}, `;
  const continued = cuts === 0 ? '' : ' It was continued after a cut of the connection.';
  await terminal.stderr.write(
    `${isStdout ? 'stdout' : output}: ${rows}${formatBytes(bytes)}. ${proofOf(output, saved)}${continued}\n`,
  );
  if (!globals.isJson || isStdout) return;
  const document =
    receipt === undefined
      ? { file: output, query_id: queryId, bytes, sha256 }
      : { file: output, receipt_file: receiptPathOf(output), receipt };
  await terminal.stdout.write(`${JSON.stringify(document)}\n`);
}

const isBinary = (format: DownloadFormat): boolean => !DOWNLOAD_FORMATS[format].isText;

/** Returns the path of the file, or `-`. */
function requireOutput({ terminal }: CommandContext, output: string | undefined, format: DownloadFormat): string {
  if (output === undefined || output === '')
    throw new UsageError('Say where the file goes: -o FILE, or -o - for stdout.');
  if (output === STDOUT && terminal.stdout.isTerminal && isBinary(format))
    throw new UsageError(`A ${format} file is not for a terminal. Write it with -o FILE.`);
  return output;
}

/**
 * Runs a download to a file or stdout, shows progress on stderr, and says there what is proven.
 * @throws UsageError without an output, CancelledError that says whether the engine has stopped, or what the download throws
 */
async function save(context: CommandContext, transfer: Transfer, options: SaveOptions): Promise<void> {
  const output = requireOutput(context, options.output, transfer.format);
  const { force, idleTimeout } = options;
  const limit = idleTimeout === undefined ? idleTimeoutMs(context.environment) : idleTimeout * 1000;
  const connection = await context.connect();
  transfer.check?.(connection, output);
  const { signal, terminal } = context;
  const display = showDownload(terminal.stderr, output === STDOUT ? 'stdout' : output);
  // Not after the download has ended, which itself waits for the host.
  let stopped: Promise<string> | undefined;
  const onAbort = (): void => {
    stopped = transfer.stop(connection, display.queryId());
  };
  signal.addEventListener('abort', onAbort, { once: true });
  let cuts = 0;
  try {
    const target: DownloadTarget<unknown> =
      output === STDOUT
        ? toOutput(terminal.stdout, display)
        : toFile(output, { overwrite: force, ...transfer.targetOptions(connection, output) });
    const saved = await transfer.run(connection, target, {
      signal,
      onProgress: display.update,
      onResume: () => {
        cuts += 1;
      },
      ...(limit === undefined ? {} : { idleTimeoutMs: limit }),
    });
    await display.stop();
    await reportSaved(context, { output, cuts }, saved);
  } catch (error) {
    await display.stop().catch(() => undefined);
    const hasBegun = display.queryId() !== undefined;
    const isCancelled = signal.aborted && signal.reason instanceof CancelledError;
    if (isCancelled) stopped ??= transfer.stop(connection, display.queryId());
    const cancelled = stopped === undefined ? undefined : new CancelledError(await stopped);
    if (output !== STDOUT) await transfer.settlePart(connection, output, cancelled ?? error);
    if (isCancelled) throw await withRest(cancelled, output, true);
    if (transfer.sql !== undefined) {
      const { noteStatement } = await import('../output/sql-excerpt.ts');
      noteStatement(error, transfer.sql);
    }
    throw await withRest(error, output, hasBegun);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Longest wait for whether an interrupted result is kept. Every command ends within 2 s of the first signal. */
const KEPT_MS = 300;

/** Removes the part of a direct download unless its result is kept. Without an answer of the host it stays. */
async function settleDirectPart({ client }: Connection, output: string, error: unknown): Promise<void> {
  if (error instanceof CancelledError && error.message.startsWith(CANCELLED_IN_ENGINE))
    return await discardPart(output);
  const facts = await readPartFacts(output).catch(() => undefined);
  if (facts === undefined) return;
  const signal = AbortSignal.timeout(KEPT_MS);
  const failure: unknown = await client
    .result(facts.query_id)
    .facts({ signal })
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  if (failure instanceof ResponseError && failure.status === 404) await discardPart(output);
}

/** Options of a statement's format that its kept result has too. */
function resultOptionsOf(request: DownloadRequest): ResultFormatOptions {
  if (!('sql' in request)) return {};
  const { bigNumbers, excelSafe, separator, bom, excelDates } = request;
  return JSON.parse(JSON.stringify({ bigNumbers, excelSafe, separator, bom, excelDates })) as ResultFormatOptions;
}

/**
 * Downloads a statement or an item to a file or stdout. A file gets its name, and its receipt beside it, only when hash and row count equal the
 * receipt. A kept result proves a file whose connection was cut; it then has no receipt.
 * @throws UsageError without an output, CancelledError that says whether the engine has stopped, or what the download throws
 */
export async function saveDownload(
  context: CommandContext,
  request: DownloadRequest,
  options: SaveOptions,
): Promise<void> {
  const isKept = 'sql' in request && request.keep !== undefined;
  const transfer: Transfer = {
    format: request.format,
    ...('sql' in request ? { sql: request.sql } : {}),
    targetOptions: (connection, output) => ({
      keepReceipt: (receipt) => receiptFileText(output, receipt, connection),
      ...(isKept
        ? {
            keepPart: (info) =>
              partFactsText(output, info, { format: request.format, options: resultOptionsOf(request) }, connection),
          }
        : {}),
    }),
    run: async ({ client }, target, downloadOptions) => {
      const { receipt, proof, bytes, sha256 } = await client.download(request, target, downloadOptions);
      return { queryId: receipt.query_id, bytes, sha256, receipt: proof === 'receipt' ? receipt : undefined };
    },
    stop: ({ client }, queryId) => confirmCancel(client, queryId, ''),
    settlePart: async (connection, output, error) => {
      if (isKept) await settleDirectPart(connection, output, error);
    },
  };
  await save(context, transfer, options);
}

/** Waits for the end of the query of a result. Whether it is kept is known from the request for the file. */
async function awaitResult(result: KeptResult, signal: AbortSignal | undefined): Promise<void> {
  await result.ready(signal === undefined ? {} : { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}

const isGone = (error: unknown): boolean => error instanceof ResponseError && error.status === 404;

/**
 * Downloads a kept result to a file or stdout. A file gets its name only when length and SHA-256 equal those of the host. Until then its bytes
 * stay in its part file, also after a failure, to be continued.
 * @param continued - facts of the part file that is continued. Default: the download begins anew
 * @throws UsageError without an output, CancelledError, CommandError if the result is not kept, or what the download throws
 */
export async function saveResult(
  context: CommandContext,
  input: ResultFileInput,
  options: SaveOptions,
  continued?: PartFacts,
): Promise<void> {
  const { queryId, format, options: formatOptions } = input;
  const transfer: Transfer = {
    format,
    check: (connection, output) => {
      if (continued !== undefined) requireSameOrigin(output, continued, connection);
    },
    targetOptions: (connection, output) => ({
      keepPart: (info) => partFactsText(output, info, input, connection),
      ...(continued === undefined ? {} : { continuePart: { etag: continued.etag ?? undefined } }),
    }),
    run: async ({ client }, target, downloadOptions) => {
      const result = client.result(queryId);
      // The query of an interrupted download may still run.
      if (continued !== undefined) await awaitResult(result, downloadOptions.signal);
      const saved = await result
        .download(format, target, { ...formatOptions, ...downloadOptions })
        .catch((error: unknown) => {
          if (!isGone(error)) throw error;
          const message = `There is no kept result of query ${queryId} that you may view. It may have expired.`;
          throw new CommandError(message, { cause: error });
        });
      return { ...saved, receipt: undefined };
    },
    stop: async () => 'Cancelled.',
    settlePart: async (_connection, output, error) => {
      if (continued !== undefined && error instanceof CommandError && isGone(error.cause)) await discardPart(output);
    },
  };
  await save(context, transfer, options);
}

/**
 * Continues the download of a kept result that was interrupted.
 * @throws CommandError if there is nothing to continue, and what `saveResult` throws
 */
export async function resumeDownload(context: CommandContext, options: SaveOptions): Promise<void> {
  const { output } = options;
  if (output === undefined || output === '' || output === STDOUT)
    throw new UsageError('Say which download to continue: --resume -o FILE.');
  const facts = await readPartFacts(output);
  const { query_id: queryId, format, options: formatOptions } = facts;
  await saveResult(context, { queryId, format, options: formatOptions }, options, facts);
}
