import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

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
 * A program that prints `{}` when it has started, and then `{"result": ...}` or `{"error": "..."}` for each line of JSON on stdin. The
 * process starts at the first call, and again at a call after it was disposed of.
 */
export class LineProgram implements Disposable {
  readonly #command: string;
  readonly #args: readonly string[];
  #running: Running | undefined;

  constructor(command: string, args: readonly string[] = []) {
    this.#command = command;
    this.#args = args;
  }

  /** Starts the process. Rejects if it ends, such as for a missing library. */
  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    const child = spawn(this.#command, this.#args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const waiting: Waiting[] = [];
    const running = { child, waiting };
    const fail = (reason: string): void => {
      if (this.#running === running) this.#running = undefined;
      for (const { reject } of waiting.splice(0)) reject(new Error(`${this.#command} ${reason}`));
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

  /** Returns the result of the program for the request. Rejects with the error that it prints. */
  async call(request: unknown): Promise<unknown> {
    await this.start();
    const { child, waiting } = this.#running ?? {};
    if (child === undefined || waiting === undefined) throw new Error(`${this.#command} has ended`);
    const replied = new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return await replied;
  }

  [Symbol.dispose](): void {
    this.#running?.child.stdin.end();
    this.#running = undefined;
  }
}
