import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { StartFailure } from '../start-failure.ts';
import type { NamedFile } from './name-views.ts';

/** A process that creates views in a database. */
interface ViewCreator extends AsyncDisposable {
  readonly hasEnded: boolean;
  /** Creates the view of a file. Returns why there is none when that fails, and afterwards the process may have ended. */
  create(file: NamedFile, secondsMax: number): Promise<string | undefined>;
  /** Saves the database and ends the process. @throws StartFailure */
  save(): Promise<void>;
}

const { resolve } = createRequire(import.meta.url);

/** Starts the process. Aborting the signal kills it. @throws StartFailure when it cannot open the database */
export async function startViewCreator(database: string, signal: AbortSignal): Promise<ViewCreator> {
  signal.throwIfAborted();
  // An empty environment: no secrets of this process, and no NODE_OPTIONS.
  const child = spawn(process.execPath, [resolve('@sluice/embedded/view-creator'), database], {
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
  const send = (file: NamedFile | null): void => void child.stdin.write(`${JSON.stringify(file)}\n`);
  if ((await nextLine()) === undefined) {
    signal.throwIfAborted();
    throw new StartFailure(`The process that reads the files did not start: ${end?.reason}`);
  }
  return {
    get hasEnded() {
      return end !== undefined;
    },
    async create(file, secondsMax) {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, secondsMax * 1_000);
      send(file);
      const line = await nextLine();
      clearTimeout(timer);
      if (line !== undefined) return (JSON.parse(line) as string | null) ?? undefined;
      if (isLate) return `reading it took more than ${secondsMax} s.`;
      return `the process that read it crashed (${end?.reason}).`;
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
