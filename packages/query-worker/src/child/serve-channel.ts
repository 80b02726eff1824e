import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { asProblem, ProblemError } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import { type Engine, EVENT_BYTES_MAX, type ResultEvent, type RowsEvent } from '@sluice/engine';
import { decodeJson, encodeFrame, encodeRowsHeader, FrameDecoder } from '../protocol/frames.ts';
import type { EngineSpec, JobProgress, QueryJob } from '../protocol/query-job.ts';
import type { RemoteStatementAddress } from '../protocol/remote-statement.ts';
import { BufferPool } from './buffer-pool.ts';
import { openEngine } from './open-engine.ts';
import { ProgressPace } from './progress-pace.ts';
import { yieldProcessors } from './yield-processors.ts';

/** What a worker tells of a problem; the cause goes with it for the host's log. */
export interface FailedPayload {
  readonly code: ProblemError['code'];
  readonly message: string;
  readonly location?: ProblemError['location'];
  readonly cause?: string;
  /** The engine still works on what was given up: this process must be replaced. */
  readonly mustReplace: boolean;
}

/** An engine elsewhere may be told so long that its statement is over, when the host has gone without a word. */
const FAREWELL_TIMEOUT_MS = 2_000;

/**
 * Serves statements from the channel, one at a time, until it ends. The engine is opened by the first and kept; it spills into
 * `tempFolder`. What runs when the channel ends is stopped, also where it runs elsewhere.
 */
export async function serveChannel(channel: Socket, tempFolder: string): Promise<void> {
  const decoder = new FrameDecoder();
  const worker = new ChannelWorker(channel, tempFolder);
  channel.on('data', (chunk: Buffer) => {
    for (const frame of decoder.push(chunk)) {
      if (frame.kind === 'run') void worker.run(decodeJson(frame.payload) as QueryJob);
      if (frame.kind === 'cancel') worker.cancel();
    }
  });
  channel.write(encodeFrame('ready'));
  await new Promise((resolve) => channel.once('close', resolve));
  await worker.end();
}

/** Enough for what waits in the channel and what is being written. */
const BUFFERS_KEPT_MAX = 8;

class ChannelWorker {
  readonly #channel: Socket;
  readonly #tempFolder: string;
  readonly #buffers = new BufferPool({ bytesEach: EVENT_BYTES_MAX, keptMax: BUFFERS_KEPT_MAX });
  #engine: { readonly kind: EngineSpec['kind']; readonly key: string; readonly engine: Engine } | undefined;
  #running: AbortController | undefined;
  readonly #pace = new ProgressPace();

  constructor(channel: Socket, tempFolder: string) {
    this.#channel = channel;
    this.#tempFolder = tempFolder;
  }

  cancel(): void {
    this.#running?.abort(new ProblemError('query_cancelled', 'The query was stopped.'));
  }

  /** Stops what runs on an engine outside of this process, which would go on without it. */
  async end(): Promise<void> {
    if (this.#engine?.kind !== 'trino') return;
    this.cancel();
    await Promise.race([this.#engine.engine[Symbol.asyncDispose](), delay(FAREWELL_TIMEOUT_MS)]);
  }

  /** Runs one job and answers with exactly one `end` or `failed`. Never rejects. */
  async run(job: QueryJob): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    this.#pace.reset();
    try {
      const engine = await this.#open(job.engine);
      for await (const event of eventsOf(engine, job, controller.signal)) await this.#send(event, controller.signal);
    } catch (thrown) {
      const mustReplace = this.#engine?.engine.mustReplace ?? false;
      this.#channel.write(encodeFrame('failed', { ...describeFailure(thrown), mustReplace } satisfies FailedPayload));
    } finally {
      if (this.#running === controller) this.#running = undefined; // the host may have sent the next job meanwhile
    }
  }

  async #open(spec: EngineSpec): Promise<Engine> {
    if (this.#engine?.key !== spec.key) {
      await this.#engine?.engine[Symbol.asyncDispose]();
      const isFirst = this.#engine === undefined;
      const engine = await openEngine(spec, {
        tempFolder: this.#tempFolder,
        allocate: (bytes) => this.#buffers.take(bytes),
        onProgress: (progress) => this.#tellProgress(progress),
        // Not corked: the host must know of it when the next thing that happens here is a kill.
        onPlace: (url) => void this.#channel.write(encodeFrame('place', { url } satisfies RemoteStatementAddress)),
      });
      this.#engine = { kind: spec.kind, key: spec.key, engine };
      if (isFirst) yieldProcessors();
    }
    return this.#engine.engine;
  }

  /** It is small and seldom, so it waits for no room in the channel. */
  #tellProgress(progress: JobProgress): void {
    if (this.#pace.isNews(progress)) this.#corked().write(encodeFrame('progress', progress));
  }

  /** Everything that is written in one turn of the event loop leaves in one system call: of a small result, all of it. */
  #corked(): Socket {
    if (this.#channel.writableCorked === 0) {
      this.#channel.cork();
      process.nextTick(() => this.#channel.uncork());
    }
    return this.#channel;
  }

  /** The buffer is used again once it has left. */
  #sendRows(event: RowsEvent): boolean {
    const channel = this.#corked();
    channel.write(encodeRowsHeader(event.rows, event.bytes.byteLength));
    return channel.write(event.bytes, () => this.#buffers.give(event.bytes));
  }

  /** Writes an event and waits while the channel is full: a slow reader slows the engine down. */
  async #send(event: ResultEvent, signal: AbortSignal): Promise<void> {
    let writable: boolean;
    switch (event.kind) {
      case 'columns':
        writable = this.#corked().write(encodeFrame('columns', { columns: event.columns }));
        break;
      case 'rows':
        writable = this.#sendRows(event);
        break;
      case 'end':
        writable = this.#corked().write(encodeFrame('end', { limited: event.limited }));
        break;
    }
    if (!writable && this.#channel.writableNeedDrain) await once(this.#channel, 'drain', { signal });
  }
}

async function* eventsOf(engine: Engine, job: QueryJob, signal: AbortSignal): AsyncIterable<ResultEvent> {
  if (job.wants === 'columns') {
    yield { kind: 'columns', columns: await engine.describe(job.statement, signal) };
    yield { kind: 'end', limited: false };
    return;
  }
  const format = createFormat(job.format);
  yield* engine.run(job.statement, (columns) => format.row(columns), signal);
}

function describeFailure(thrown: unknown): Omit<FailedPayload, 'mustReplace'> {
  const problem = asProblem(thrown);
  const cause = problem.cause instanceof Error ? (problem.cause.stack ?? problem.cause.message) : problem.cause;
  return {
    code: problem.code,
    message: problem.message,
    ...(problem.location === undefined ? {} : { location: problem.location }),
    ...(cause === undefined ? {} : { cause: String(cause) }),
  };
}
