import { type Client, ConnectionError, type FileImport, SluiceError } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { CancelledError, CommandError } from '../errors.ts';
import { formatBytes, formatClock, formatCount } from '../output/quantity.ts';
import { idleTimeoutMs } from '../profiles/idle-timeout.ts';
import { createProgressLine, type ProgressPart } from '../terminal/progress-line.ts';
import type { Output } from '../terminal/terminal.ts';
import { asFileError } from '../text-files/file-fault.ts';
import type { MetadataUpload } from './open-metadata-file.ts';

const REDRAW_MS = 100;
const BAR_CELLS = 20;

/** Progress of an import on a terminal: first of the file that is sent, then of its objects. */
interface ImportDisplay {
  readonly update: (found: FileImport) => void;
  readonly stop: () => Promise<void>;
}

interface DisplayOptions {
  /** Bytes of the file that were read so far. */
  readonly sentBytes: () => number;
}

function bar(share: number): string {
  const done = Math.round(Math.min(Math.max(share, 0), 1) * BAR_CELLS);
  return `[${'='.repeat(done)}${' '.repeat(BAR_CELLS - done)}]`;
}

function objectParts({ state, dry_run, progress, ...counts }: FileImport, rate: number): ProgressPart[] {
  if (state === 'QUEUED') return [{ text: `Waiting to import ${formatCount(counts.total_count)} objects`, rank: 0 }];
  const { processed_count: done, total_count: total, failure_count: failed } = counts;
  return [
    { text: bar(progress), rank: 4 },
    { text: dry_run ? 'Comparing' : 'Importing', rank: 3 },
    { text: `${formatCount(done)} of ${formatCount(total)} objects`, rank: 0 },
    ...(failed === 0 ? [] : [{ text: `${formatCount(failed)} failed`, rank: 1 }]),
    ...(rate > 0 ? [{ text: `${formatCount(Math.round(rate))}/s`, rank: 5 }] : []),
  ];
}

/** Shows the progress of an import until `stop`. Nothing is shown where there is no terminal. */
function showImport(output: Output, { sentBytes }: DisplayOptions): ImportDisplay {
  const line = createProgressLine(output);
  const startedMs = performance.now();
  let found: FileImport | undefined;
  let firstMs = startedMs;
  const parts = (): ProgressPart[] => {
    const nowMs = performance.now();
    const clock = { text: formatClock(nowMs - startedMs), rank: 2 };
    if (found === undefined) return [{ text: `Sending the file: ${formatBytes(sentBytes())}`, rank: 0 }, clock];
    return [...objectParts(found, (found.processed_count * 1000) / Math.max(nowMs - firstMs, 1)), clock];
  };
  const draw = (): void => void line.show(parts()).catch(() => undefined);
  const timer = output.isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    update: (next) => {
      if (found === undefined || found.processed_count === 0) firstMs = performance.now();
      found = next;
    },
    stop: async () => {
      clearInterval(timer);
      await line.clear();
    },
  };
}

/** Every command ends within 2 s of the first signal, and has to say how. */
const CANCEL_TIMEOUT_MS = 1500;
/** Time for the report, from the same signal on. It can be asked for again later. */
const REPORT_TIMEOUT_MS = 1700;

/** Import that was stopped by Ctrl-C. The host has its report already. */
export class StoppedImport extends CancelledError {
  readonly found: FileImport;
  /** Aborted when the command has to end, whether or not the report is written. */
  readonly signal: AbortSignal;

  constructor(message: string, found: FileImport, signal: AbortSignal) {
    super(message);
    this.found = found;
    this.signal = signal;
  }
}

/** Returns the hint that leads to the results of an import after this process has ended. */
const resumeHint = (id: string): string => `\`sluice import --resume ${id}\` waits for its end and shows its results.`;

/** Returns a sentence with the objects that an import has applied. */
function appliedText({ dry_run, processed_count: done, total_count: total, ...counts }: FileImport): string {
  const all = `${formatCount(done)} of ${formatCount(total)} objects`;
  if (dry_run) return `after ${all}. It was a dry run: nothing was changed.`;
  const { changed_count: changed, failure_count: failed } = counts;
  return `after ${all}: ${formatCount(changed)} changed, ${formatCount(failed)} failed. Import the file again to continue: what is applied does not change again.`;
}

/** Stops an import at the host. Returns the error that says what was applied. */
async function cancelImport(client: Client, id: string): Promise<CancelledError> {
  const reportSignal = AbortSignal.timeout(REPORT_TIMEOUT_MS);
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  const found = await client.api.cancelMetadataImport({ params: { id }, signal }).catch(() => undefined);
  if (found === undefined)
    return new CancelledError(`Cancelled, but the host has not confirmed it: the import may go on. ${resumeHint(id)}`);
  if (found.state === 'CANCELLED') return new StoppedImport(`Cancelled ${appliedText(found)}`, found, reportSignal);
  return new CancelledError(`Cancelled, but the import had ended (${found.state}). ${resumeHint(id)}`);
}

const UNKNOWN =
  'Whether the import has started is not known. Run the command again: what is applied does not change again.';

/** Returns the error of a file that the host has not confirmed. */
function unsentError({ name, isRead, fault }: MetadataUpload, signal: AbortSignal, error: unknown): unknown {
  const outcome = isRead() ? UNKNOWN : 'Nothing was imported.';
  if (signal.aborted)
    return signal.reason instanceof CancelledError
      ? new CancelledError(`Cancelled while the file was sent. ${outcome}`)
      : signal.reason;
  if (fault() !== undefined) return fault();
  if (error instanceof ConnectionError)
    return new CommandError(`${error.message} ${outcome}${isRead() ? '' : ' Run the command again.'}`, {
      cause: error,
    });
  return asFileError(name, error);
}

/** Adds a sentence to an error of the connection. The error keeps its class, from which the exit code follows. */
export function withSentence(error: unknown, sentence: string): unknown {
  if (error instanceof SluiceError) error.message = `${error.message} ${sentence}`;
  return error;
}

/** Returns the error of an import that goes on at the host. */
async function waitingError(client: Client, id: string, signal: AbortSignal, error: unknown): Promise<unknown> {
  if (signal.aborted) return signal.reason instanceof CancelledError ? await cancelImport(client, id) : signal.reason;
  // Keeps the class, from which the exit code follows.
  if (error instanceof SluiceError)
    error.message = `${error.message} The import goes on at the host: ${resumeHint(id)}`;
  return error;
}

/**
 * Sends a file and waits for the end of its import.
 * @throws CommandError with the name of the file and the positions of its violations; CancelledError that says what was applied
 */
export async function sendFile(
  { terminal, environment, signal }: CommandContext,
  client: Client,
  { upload, dryRun }: { readonly upload: MetadataUpload; readonly dryRun: boolean },
): Promise<FileImport> {
  const display = showImport(terminal.stderr, { sentBytes: upload.readBytes });
  const lostTimeoutMs = idleTimeoutMs(environment);
  let id: string | undefined;
  try {
    // Renews a token that the host does not accept any more: a stream cannot be sent again.
    await client.api.getMe({ signal });
    return await client.metadata.importFile(upload.body, {
      format: upload.format,
      dryRun,
      signal,
      ...(lostTimeoutMs === undefined ? {} : { lostTimeoutMs }),
      onStarted: ({ import_id }) => {
        id = import_id;
      },
      onProgress: display.update,
    });
  } catch (error) {
    await display.stop().catch(() => undefined);
    throw id === undefined ? unsentError(upload, signal, error) : await waitingError(client, id, signal, error);
  } finally {
    await display.stop();
    upload.close();
  }
}
