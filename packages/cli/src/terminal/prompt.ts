import { addAbortSignal } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { CancelledError, UsageError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

const CANCELLED = 'Cancelled.';

/** Result of a key: the text so far, or what ended it. */
type Typed = { readonly text: string } | 'entered' | 'cancelled';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ERASE_ALL = ['\u0015', '\u0017'];
const ERASE_ONE = ['\b', '\u007f'];
/** Keys such as arrows, and the marks around pasted text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with the escape character
const KEY_SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|[^[O])/g;

function typeKey(text: string, key: string): Typed {
  if (key === '\r' || key === '\n') return 'entered';
  if (key === CTRL_C || (key === CTRL_D && text === '')) return 'cancelled';
  if (key === CTRL_D) return 'entered';
  if (ERASE_ALL.includes(key)) return { text: '' };
  if (ERASE_ONE.includes(key)) return { text: [...text].slice(0, -1).join('') };
  return { text: key < ' ' ? text : text + key };
}

/** Waits for chunks of the terminal until `onText` returns a value. Input after that is left for the next question. */
function readUntil<Value>(
  { stdin }: Pick<Terminal, 'stdin'>,
  signal: AbortSignal,
  onText: (text: string) => Value | undefined,
): Promise<Value> {
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      stdin.off('data', take).off('end', onEnd);
      signal.removeEventListener('abort', onAbort);
      stdin.pause();
    };
    const take = (bytes: Buffer): void => {
      try {
        const value = onText(decoder.write(bytes));
        if (value === undefined) return;
        stop();
        resolve(value);
      } catch (error) {
        stop();
        reject(error as Error);
      }
    };
    const onEnd = (): void => {
      stop();
      reject(new CancelledError(CANCELLED));
    };
    const onAbort = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    stdin.on('data', take).once('end', onEnd).resume();
  });
}

/**
 * Asks for a value that is not shown while it is typed, such as a password. Call it on an interactive terminal only.
 * @throws CancelledError after Ctrl-C
 */
export async function askHidden(terminal: Terminal, question: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = terminal;
  // Before the question, so that nothing typed after it is shown.
  stdin.setRawMode(true);
  let typed = '';
  try {
    await stderr.write(`${question}: `);
    return await readUntil(terminal, signal, (chunk) => {
      for (const key of chunk.replace(KEY_SEQUENCE, '')) {
        const result = typeKey(typed, key);
        if (result === 'entered') return typed;
        if (result === 'cancelled') throw new CancelledError(CANCELLED);
        typed = result.text;
      }
      return undefined;
    });
  } finally {
    stdin.setRawMode(false);
    await stderr.write('\n');
  }
}

/**
 * Asks for a line, which the terminal shows and lets the user correct. Call it on an interactive terminal only.
 * @throws CancelledError after Ctrl-C or Ctrl-D
 */
export async function askLine(terminal: Terminal, question: string, signal: AbortSignal): Promise<string> {
  await terminal.stderr.write(`${question}: `);
  let line = '';
  return await readUntil(terminal, signal, (chunk) => {
    line += chunk;
    return line.includes('\n') ? line.slice(0, line.indexOf('\n')).trim() : undefined;
  });
}

/** Longer than any password or secret that the hosts accept. */
const SECRET_BYTES_MAX = 16 * 1024;

/**
 * Reads a secret from a pipe or file: one line.
 * @param what - for messages, such as `password`
 * @throws UsageError if stdin is empty, has more than one line, or is not UTF-8
 */
export async function readPipedSecret(terminal: Terminal, what: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, terminal.stdin) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > SECRET_BYTES_MAX) throw new UsageError(`The ${what} on stdin is longer than ${SECRET_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch {
    throw new UsageError(`The ${what} on stdin is not UTF-8.`);
  }
  if (text === '')
    throw new UsageError(
      `The ${what} is read from stdin, which is empty. Pipe the ${what}, or run this in a terminal.`,
    );
  if (/[\r\n]/.test(text)) throw new UsageError(`stdin has more than one line. Give it the ${what} only.`);
  return text;
}
