import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { StartFailure } from '../start-failure.ts';
import type { DataFile } from './data-file.ts';
import type { ReadOutcome } from './file-reading.ts';

/** Task of the process. A view is named without its catalog. */
export type ReaderTask =
  | { readonly kind: 'read'; readonly file: DataFile; readonly isWhole?: boolean | undefined }
  | ({ readonly kind: 'create' } & CreatedView)
  | { readonly kind: 'drop'; readonly schema: string; readonly name: string };

/** View to create. */
export interface CreatedView {
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
  /** Source of a view of several files, and the columns that it must have. */
  readonly joined?: { readonly from: string; readonly columns: readonly string[] } | undefined;
}

/** Result of a task, or why the process gave none. */
type TaskResult<T> = { readonly result: T } | { readonly failure: string };

/** Reads files and changes views in a process of its own, because DuckDB can crash on a file. A process that ends is replaced. */
export interface FileReader extends AsyncDisposable {
  /** Reads a file; with `isWhole` also a large one completely. */
  read(file: DataFile, isWhole?: boolean): Promise<ReadOutcome>;
  /** Creates a view in the database. Returns why it cannot be created. */
  create(view: CreatedView): Promise<string | undefined>;
  drop(view: { readonly schema: string; readonly name: string }): Promise<void>;
  /** Saves the database and ends the process. @throws StartFailure */
  save(): Promise<void>;
}

interface FileReaderOptions {
  /** Path of the database with the views; `:memory:` to read only. */
  readonly database: string;
  /** Aborts the work and kills the process. */
  readonly signal: AbortSignal;
  /** Time limit of one task. It also ends the wait for a pipe that has taken the place of a file. */
  readonly secondsMax: number;
}

const { resolve } = createRequire(import.meta.url);

/** Starts a reader. @throws StartFailure when it cannot open the database */
export async function startFileReader(options: FileReaderOptions): Promise<FileReader> {
  let child = await startReaderProcess(options);
  const run = async <T>(task: ReaderTask): Promise<TaskResult<T>> => {
    if (child.hasEnded) child = await startReaderProcess(options);
    const answer = await child.run<T>(task);
    options.signal.throwIfAborted();
    return answer;
  };
  return {
    async read(file, isWhole) {
      const answer = await run<ReadOutcome>({ kind: 'read', file, isWhole });
      return 'failure' in answer ? { problem: `cannot be read: ${answer.failure}` } : answer.result;
    },
    async create(view) {
      const { schema, name, sql, joined } = view;
      const answer = await run<string | null>({ kind: 'create', schema, name, sql, joined });
      return 'failure' in answer ? answer.failure : (answer.result ?? undefined);
    },
    async drop(view) {
      const answer = await run<null>({ kind: 'drop', schema: view.schema, name: view.name });
      if ('failure' in answer) throw new StartFailure(`A view of the files cannot be removed: ${answer.failure}`);
    },
    async save() {
      if (child.hasEnded) child = await startReaderProcess(options);
      await child.save();
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

interface ReaderProcess extends AsyncDisposable {
  readonly hasEnded: boolean;
  run<T>(task: ReaderTask): Promise<TaskResult<T>>;
  save(): Promise<void>;
}

async function startReaderProcess({ database, signal, secondsMax }: FileReaderOptions): Promise<ReaderProcess> {
  signal.throwIfAborted();
  // An empty environment: no secrets of this process, and no NODE_OPTIONS.
  const child = spawn(process.execPath, [resolve('@sluice/embedded/file-reader'), database], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = text;
  });
  child.stdin.on('error', () => undefined); // its end is reported by `ended`
  let end: { readonly reason: string; readonly isSaved: boolean } | undefined;
  const ended = new Promise<undefined>((resolve) => {
    const settle = (reason: string, isSaved: boolean): void => {
      end ??= { reason, isSaved };
      resolve(undefined);
    };
    child.once('error', (error) => settle(error.message, false));
    child.once('close', (code, killedBy) => settle(killedBy ?? errorOutput.trim(), code === 0));
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string | undefined> => {
    const { value, done } = await lines.next();
    if (done !== true) return value;
    return ended;
  };
  const send = (task: ReaderTask | null): void => void child.stdin.write(`${JSON.stringify(task)}\n`);
  if ((await nextLine()) === undefined) {
    signal.throwIfAborted();
    throw new StartFailure(`The process that reads the files did not start: ${end?.reason}`);
  }
  return {
    get hasEnded() {
      return end !== undefined;
    },
    async run<T>(task: ReaderTask): Promise<TaskResult<T>> {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, secondsMax * 1_000);
      send(task);
      const line = await nextLine();
      clearTimeout(timer);
      if (line !== undefined) return { result: JSON.parse(line) as T };
      if (isLate) return { failure: `that took more than ${secondsMax} s.` };
      return { failure: `the process that read it crashed (${end?.reason}).` };
    },
    async save() {
      send(null);
      await ended;
      if (end?.isSaved !== true) throw new StartFailure(`The database of the files cannot be saved: ${end?.reason}`);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
