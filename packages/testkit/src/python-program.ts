import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Calls `handle` with each line of stdin, which is JSON, and prints a line for each. */
const LOOP = `
import json, sys
print("{}", flush=True)
for line in sys.stdin:
    try:
        reply = {"result": handle(json.loads(line))}
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
`;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly result?: unknown;
  readonly error?: string;
}

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Calls without a reply, oldest first. */
  readonly waiting: Waiting[];
}

/**
 * A Python program in one process for many calls, because a start with its libraries takes up to a second of processor time. The process
 * starts at the first call, and again at a call after it was disposed of.
 */
export class PythonProgram implements Disposable {
  readonly #python: string;
  readonly #source: string;
  #running: Running | undefined;

  /**
   * @param python - path of the interpreter
   * @param source - defines `handle`, whose argument and result are JSON
   */
  constructor(python: string, source: string) {
    this.#python = python;
    this.#source = source;
  }

  /** Starts the process. Rejects if it ends, such as for a missing library. */
  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    const child = spawn(this.#python, ['-c', `${this.#source}${LOOP}`], { stdio: ['pipe', 'pipe', 'ignore'] });
    const waiting: Waiting[] = [];
    const running = { child, waiting };
    const fail = (reason: string): void => {
      if (this.#running === running) this.#running = undefined;
      for (const { reject } of waiting.splice(0)) reject(new Error(`${this.#python} ${reason}`));
    };
    child.once('error', ({ message }) => fail(message));
    child.once('close', (code) => fail(`ended with exit code ${code}`));
    child.stdin.on('error', () => undefined);
    createInterface(child.stdout).on('line', (line) => {
      const { result, error } = JSON.parse(line) as Reply;
      const { resolve, reject } = waiting.shift() ?? {};
      if (error === undefined) resolve?.(result);
      else reject?.(new Error(error));
    });
    this.#running = running;
    await new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  /** Returns what `handle` returns for the request. Rejects with the type and message of what it raises. */
  async call(request: unknown): Promise<unknown> {
    await this.start();
    const { child, waiting } = this.#running ?? {};
    if (child === undefined || waiting === undefined) throw new Error(`${this.#python} has ended`);
    const replied = new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return await replied;
  }

  [Symbol.dispose](): void {
    this.#running?.child.stdin.end();
    this.#running = undefined;
  }
}
