import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { asProblem, ProblemError } from '@sluice/contract/problems';
import { createFormat } from '@sluice/encoders';
import {
  type Engine,
  type EngineProgress,
  type EngineSpec,
  EVENT_BYTES_MAX,
  engineCapabilities,
  type ResultEvent,
  type RowsEvent,
  type SentEvent,
  type Statement,
} from '@sluice/engine';
import { openEngine } from '@sluice/engine/open-engine';
import { setNiceness, WORKER_NICENESS } from '../os/niceness.ts';
import { BufferPool } from '../protocol/buffer-pool.ts';
import { FrameDecoder } from '../protocol/frame-decoder.ts';
import { decodeJson, encodeFrame, encodeFrameHeader, encodeRowsHeader } from '../protocol/frames.ts';
import type { FailedPayload, NotKeptPayload, RemoteStatementAddress, StoredRange } from '../protocol/payloads.ts';
import type { EngineTime, QueryJob } from '../protocol/query-job.ts';
import { catalogueEvents } from './catalogue-events.ts';
import { RowKeeper } from './row-keeper.ts';
import { storedEvents } from './stored-events.ts';
import { StoredSource } from './stored-source.ts';

/** Clients receive progress at most once a second, so more frames would only fill the channel. */
const INTERVAL_MS = 500;

/** Limits how often progress is sent: on every change of state, and on new counts at most once per interval. */
class ProgressThrottle {
  #last: EngineProgress | undefined;
  #lastMs = 0;

  /** Starts over for the next statement. */
  reset(): void {
    this.#last = undefined;
  }

  shouldSend(progress: EngineProgress): boolean {
    const now = performance.now();
    const hasNewState = this.#last?.isQueued !== progress.isQueued;
    const hasNewCounts =
      this.#last?.splitsDone !== progress.splitsDone || this.#last.splitsTotal !== progress.splitsTotal;
    if (!hasNewState && !(hasNewCounts && now - this.#lastMs >= INTERVAL_MS)) return false;
    this.#last = progress;
    this.#lastMs = now;
    return true;
  }
}

/**
 * Lowers the priority of this process below that of hosts and of starting workers, so that heavy queries delay neither other
 * requests nor the replacement of workers when processors are scarce. A failure is ignored: it costs time, not correctness.
 */
const lowerPriority = (): void => void setNiceness(process.pid, WORKER_NICENESS);

/** Time allowed to cancel a remote statement after the parent process has disappeared. */
const REMOTE_CANCEL_TIMEOUT_MS = 2_000;

/**
 * Runs the jobs that arrive on the channel, one at a time, until the channel closes. The first job opens the engine, which is kept
 * and spills into `tempFolder`. A statement that runs when the channel closes is stopped, a remote one too.
 */
export async function serveChannel(channel: Socket, tempFolder: string): Promise<void> {
  const decoder = new FrameDecoder();
  const worker = new ChannelWorker(channel, tempFolder);
  channel.on('data', (chunk: Buffer) => {
    for (const frame of decoder.push(chunk)) {
      if (frame.kind === 'run') void worker.run(decodeJson(frame.payload) as QueryJob);
      if (frame.kind === 'cancel') worker.cancel();
      if (frame.kind === 'stop-keeping') worker.stopKeeping();
      if (frame.kind === 'stored-bytes') worker.receiveStored(frame.payload);
    }
  });
  channel.write(encodeFrame('ready'));
  await new Promise((resolve) => channel.once('close', resolve));
  await worker.end();
}

/** Enough for the buffers that wait in the channel and the one that is being written. */
const BUFFERS_KEPT_MAX = 8;

/** Bytes of rows that wait to be written before the next rows are made. The last half is written while they are. */
const WAITING_BYTES_MAX = 1024 * 1024;

/**
 * Bytes of rows after which the event loop gets a turn. The socket holds 200 KiB, and the loop fills it again as the host reads:
 * without a turn only between two chunks of rows, so the host would wait for each.
 */
const TURN_BYTES = 128 * 1024;

/** Milliseconds since 1970, with fractions. */
const epochMs = (): number => performance.timeOrigin + performance.now();

class ChannelWorker {
  readonly #channel: Socket;
  readonly #tempFolder: string;
  readonly #buffers = new BufferPool({ bytesEach: EVENT_BYTES_MAX, keptMax: BUFFERS_KEPT_MAX });
  #engine: { readonly runsRemotely: boolean; readonly version: string; readonly engine: Engine } | undefined;
  #running: AbortController | undefined;
  #keeper: RowKeeper | undefined;
  #source: StoredSource | undefined;
  #bytesSinceTurn = 0;
  #onWritten: (() => void) | undefined;
  readonly #progress = new ProgressThrottle();

  constructor(channel: Socket, tempFolder: string) {
    this.#channel = channel;
    this.#tempFolder = tempFolder;
  }

  cancel(): void {
    this.#running?.abort(new ProblemError('query_cancelled', 'The query was stopped.'));
  }

  stopKeeping(): void {
    this.#keeper?.stop();
  }

  receiveStored(bytes: Uint8Array): void {
    this.#source?.receive(bytes);
  }

  /** Stops a statement of a remote engine, which would run on after this process has ended. */
  async end(): Promise<void> {
    if (!this.#engine?.runsRemotely) return;
    this.cancel();
    await Promise.race([this.#engine.engine[Symbol.asyncDispose](), delay(REMOTE_CANCEL_TIMEOUT_MS)]);
  }

  /** Runs one job and ends with exactly one `end` or `failed` frame. Never rejects. */
  async run(job: QueryJob): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    this.#progress.reset();
    let startedMs: number | undefined;
    const keeper = this.#openKeeper(job);
    this.#keeper = keeper;
    const keepsSent = keepsAsSent(job);
    let rows = 0;
    try {
      const events = await this.#begin(job, controller.signal);
      startedMs = epochMs();
      for await (const event of events) {
        if (event.kind === 'stored rows') {
          await keeper?.add(event);
          continue;
        }
        if (event.kind === 'columns') keeper?.begin(event);
        if (event.kind === 'rows') rows += event.rows;
        if (event.kind === 'end') {
          await keeper?.end(rows, event.limited);
          this.#sendEngineTime(job, startedMs);
        }
        // Copies the rows in this call: their memory is used again when they are written.
        const room = keepsSent && event.kind === 'rows' ? keeper?.add(event) : undefined;
        await this.#send(event, controller.signal);
        await room;
      }
    } catch (thrown) {
      this.#sendEngineTime(job, startedMs);
      const mustReplace = this.#engine?.engine.mustReplace ?? false;
      this.#channel.write(encodeFrame('failed', { ...describeFailure(thrown), mustReplace } satisfies FailedPayload));
    } finally {
      if (this.#running === controller) this.#running = undefined; // the host may have sent the next job already
    }
  }

  /** Opens the engine for a statement, the kept result that a job renders, or the rows of a mirrored catalog. */
  async #begin(job: QueryJob, signal: AbortSignal): Promise<AsyncIterable<ResultEvent>> {
    const { stored, format, engine } = job;
    if (job.catalogue !== undefined) return catalogueEvents(job, { tempFolder: this.#tempFolder, signal });
    if (stored === undefined) return eventsOf(await this.#open(engine), job, signal);
    lowerPriority();
    const ask = (range: StoredRange): void => void this.#corked().write(encodeFrame('read-stored', range));
    const source = new StoredSource({ length: stored.bytes, ask, signal });
    this.#source = source;
    const allocate = (bytes: number): Uint8Array => this.#buffers.acquire(bytes);
    return storedEvents({ stored, source, format, openEngine: () => this.#open(engine), allocate, signal });
  }

  #openKeeper({ keep, statement }: QueryJob): RowKeeper | undefined {
    if (keep === undefined) return undefined;
    const channel = this.#channel;
    return new RowKeeper({
      spec: keep,
      statement,
      send: (bytes) => {
        const corked = this.#corked();
        corked.write(encodeFrameHeader('stored', bytes.byteLength));
        corked.write(bytes, () => this.#noteWritten());
      },
      sendEnd: (end) => void channel.write(encodeFrame('stored-end', end)),
      sendNotKept: (reason) => void channel.write(encodeFrame('not-kept', { reason } satisfies NotKeptPayload)),
    });
  }

  async #open(spec: EngineSpec): Promise<Engine> {
    const version = versionOf(spec);
    if (this.#engine?.version !== version) {
      const isFirst = this.#engine === undefined;
      await this.#engine?.engine[Symbol.asyncDispose]();
      this.#engine = undefined; // in case the next one cannot be opened
      const engine = await openEngine(spec, {
        tempFolder: this.#tempFolder,
        allocate: (bytes) => this.#buffers.acquire(bytes),
        lendableFrames: BUFFERS_KEPT_MAX,
        onProgress: (progress) => this.#sendProgress(progress),
        onTables: (tables) => void this.#corked().write(encodeFrame('progress', { tables })),
        onRemoteStatement: (url) => this.#sendAddress({ url }),
      });
      this.#engine = { runsRemotely: engineCapabilities(spec).runsRemotely, version, engine };
      if (isFirst) lowerPriority();
    }
    return this.#engine.engine;
  }

  /** Sends without waiting for room in the channel: progress frames are small and rare. */
  #sendProgress(progress: EngineProgress): void {
    if (this.#progress.shouldSend(progress)) this.#corked().write(encodeFrame('progress', progress));
  }

  #sendEngineTime({ reportsEngineTime = false }: QueryJob, startedMs: number | undefined): void {
    if (!reportsEngineTime || startedMs === undefined) return;
    const engineTime: EngineTime = { startedMs, endedMs: epochMs() };
    this.#corked().write(encodeFrame('progress', { engineTime }));
  }

  /** Sends without corking: the host must have the address even if this process is killed next. */
  #sendAddress(address: RemoteStatementAddress): void {
    this.#channel.write(encodeFrame('remote-statement', address));
  }

  /** Corks the channel until the next tick, so that all frames of one turn (a whole small result) leave in one system call. */
  #corked(): Socket {
    if (this.#channel.writableCorked === 0) {
      this.#channel.cork();
      process.nextTick(() => this.#channel.uncork());
    }
    return this.#channel;
  }

  /** Writes an event. Waits while too much is unwritten, so that a slow reader slows down the engine. */
  async #send(event: SentEvent, signal: AbortSignal): Promise<void> {
    switch (event.kind) {
      case 'columns':
        this.#corked().write(encodeFrame('columns', { columns: event.columns, tables: event.tables }));
        return;
      case 'rows':
        await this.#sendRows(event, signal);
        return;
      case 'end':
        this.#corked().write(encodeFrame('end', { limited: event.limited }));
        return;
    }
  }

  async #sendRows(event: RowsEvent, signal: AbortSignal): Promise<void> {
    const channel = this.#corked();
    channel.write(encodeRowsHeader(event.rows, event.bytes.byteLength));
    channel.write(event.bytes, () => {
      if (event.release === undefined) this.#buffers.release(event.bytes);
      else event.release();
      this.#noteWritten();
    });
    this.#bytesSinceTurn += event.bytes.byteLength;
    if (this.#bytesSinceTurn < TURN_BYTES) return;
    this.#bytesSinceTurn = 0;
    await nextTurn();
    if (channel.writableLength > WAITING_BYTES_MAX) await this.#written(signal);
  }

  /** Lets a statement go on that waits for room. Sealed bytes of a kept result may be the last that are written, so each write ends here. */
  #noteWritten(): void {
    if (this.#channel.writableLength <= WAITING_BYTES_MAX / 2) this.#onWritten?.();
  }

  /** Resolves when half of the bytes that wait are written, or rejects when the statement is cancelled. */
  #written(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#onWritten = undefined;
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#onWritten = () => {
        this.#onWritten = undefined;
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
    });
  }
}

/** Differs between engines, and between the versions of the database files of one. */
const versionOf = ({ key, revision }: EngineSpec): string => JSON.stringify([key, revision]);

/** Whether the rows are kept as they are sent, and not in a form of their own beside them. */
const keepsAsSent = ({ keep, format }: QueryJob): boolean =>
  keep !== undefined && createFormat(format).isStoredForm === true;

async function* eventsOf(engine: Engine, job: QueryJob, signal: AbortSignal): AsyncIterable<ResultEvent> {
  if (job.wants === 'columns') {
    yield { kind: 'columns', columns: await engine.describe(job.statement, signal) };
    yield { kind: 'end', limited: false };
    return;
  }
  if (job.wants === 'columns and tables') {
    const columns = await engine.describe(job.statement, signal, { reportsTables: true });
    yield { kind: 'columns', columns, tables: await engine.tables(job.statement, signal) };
    yield { kind: 'end', limited: false };
    return;
  }
  if (job.wants === 'tables') {
    const tables = await engine.namedTables?.(job.statement, signal);
    yield { kind: 'columns', columns: [], ...(tables === undefined ? {} : { tables }) };
    yield { kind: 'end', limited: false };
    return;
  }
  const format = createFormat(job.format);
  const keepsRows: Statement['keepsRows'] = keepsAsSent(job) ? 'as sent' : true;
  const statement = job.keep === undefined ? job.statement : { ...job.statement, keepsRows };
  yield* engine.run(statement, (columns) => format.row(columns), signal);
}

function describeFailure(thrown: unknown): Omit<FailedPayload, 'mustReplace'> {
  const problem = asProblem(thrown);
  const cause = problem.cause instanceof Error ? (problem.cause.stack ?? problem.cause.message) : problem.cause;
  return {
    code: problem.code,
    message: problem.message,
    ...(problem.location === undefined ? {} : { location: problem.location }),
    ...(problem.engineError === undefined ? {} : { engineError: problem.engineError }),
    ...(cause === undefined ? {} : { cause: String(cause) }),
  };
}
