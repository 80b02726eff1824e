import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const REGISTER = new URL('../jest/native/register.mjs', import.meta.url).href;

/** Arguments of Node.js for a process that runs the text of a module, which may import the sources of this repository. */
export const scriptArguments = (script: string): string[] => [
  ...['--disable-warning=ExperimentalWarning', '--import', REGISTER],
  ...['--input-type=module', '--eval', script],
];

/** Runs the text of a module in a process of its own, and returns its output. */
export const runScript = (script: string): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  promisify(execFile)(process.execPath, scriptArguments(script));
