import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { StartFailure } from '../start-failure.ts';
import { type IdentityProviderOptions, issuerOn } from './identity-provider-options.ts';

interface RunningIdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Resolves with the last line of its error output when the process has ended, for any reason. */
  readonly ended: Promise<string>;
}

const { resolve } = createRequire(import.meta.url);
const ERROR_OUTPUT_CHARACTERS_MAX = 2000;

/** Starts the development identity provider. It ends with this process at the latest. @throws StartFailure */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<RunningIdentityProvider> {
  const child = spawn(process.execPath, [resolve('@sluice/embedded/identity-provider')], {
    // An empty environment: no secrets of this process, and no NODE_OPTIONS.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // the process has ended, which `ended` reports
  // Not an argument: every user of the machine can read those, and the options have passwords.
  child.stdin.write(`${JSON.stringify(options)}\n`);
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-ERROR_OUTPUT_CHARACTERS_MAX);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(errorOutput.trim().split('\n').at(-1) ?? ''));
  });
  const ready = new Promise<'ready'>((resolve) => child.stdout.once('data', () => resolve('ready')));
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== 'ready') throw new StartFailure(`The development identity provider did not start: ${outcome}`);
  return {
    issuer: issuerOn(options.port),
    ended,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
