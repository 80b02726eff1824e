import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../start-failure.ts';
import { IDENTITY_PROVIDER_HOST, type IdentityProviderOptions } from './order.ts';

export interface RunningIdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Settles when it has ended, for whatever reason; the text is what it said last. */
  readonly ended: Promise<string>;
}

/** The same relative path from src/ and from dist/: it runs in a process of its own, on what was built. */
const MAIN = fileURLToPath(new URL('../../dist/identity-provider/main.js', import.meta.url));
const WORDS_CHARACTERS_MAX = 2000;

/** Starts the development identity provider; it ends with this process at the latest. @throws StartFailure */
export async function startIdentityProvider(order: IdentityProviderOptions): Promise<RunningIdentityProvider> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(order)], {
    // No secret of ours reaches it, and no NODE_OPTIONS of the caller.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-WORDS_CHARACTERS_MAX);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(words.trim().split('\n').at(-1) ?? ''));
  });
  const ready = new Promise<'ready'>((resolve) => child.stdout.once('data', () => resolve('ready')));
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== 'ready') throw new StartFailure(`The development identity provider did not start: ${outcome}`);
  return {
    issuer: `http://${IDENTITY_PROVIDER_HOST}:${order.port}`,
    ended,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
