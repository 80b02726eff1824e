import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { close, constants, open, rm } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { storageUnavailable } from '@sluice/contract/problems';

const run = promisify(execFile);
const openFile = promisify(open);
const closeFile = promisify(close);
const remove = promisify(rm);

/**
 * A named pipe: an engine writes a file to it and this process reads it meanwhile. Unread bytes block the writer, and once the
 * reader has closed its end the writer fails (EPIPE), even while it waits.
 */
export class ResultPipe implements AsyncDisposable {
  readonly path: string;
  /** Ends when the writers have closed, the last of them by `endWriting`; throws if it is destroyed before. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly #reader: Socket;
  #writer: number | undefined;

  private constructor(path: string, reader: Socket, writer: number) {
    this.path = path;
    this.bytes = reader;
    this.#reader = reader;
    this.#writer = writer;
  }

  /** `folder` must be private to this process. */
  static async open(folder: string): Promise<ResultPipe> {
    const path = join(folder, `result-${randomUUID()}`);
    await run('mkfifo', ['-m', '600', path]).catch(asStorageProblem);
    // Neither end waits for the other. The writing end keeps the pipe from ending before the engine has opened it.
    const reader = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const socket = new Socket({ fd: reader, readable: true, writable: false });
    socket.on('error', () => undefined); // the reader of `bytes` gets the error
    return new ResultPipe(path, socket, writer);
  }

  /** Ends the bytes. Call it when the engine has closed the file. */
  async endWriting(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer !== undefined) await closeFile(writer);
  }

  /** Closes the reading end, so that writers fail. */
  break(): void {
    this.#reader.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.break();
    await this.endWriting();
    await remove(this.path, { force: true });
  }
}

/** Throws `storage_unavailable` if the program ran and failed: it has an exit status then, and no number of a system error. */
function asStorageProblem(thrown: unknown): never {
  const { code } = thrown as { code?: unknown };
  throw typeof code === 'number' ? storageUnavailable(thrown) : thrown;
}
