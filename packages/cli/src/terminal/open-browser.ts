import { spawn } from 'node:child_process';
import { type Environment, readVariable } from '../environment.ts';
import { splitCommand } from './program.ts';

/** Programs that open an address in the browser of the user. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns the program that opens a browser; undefined if there is none, as on a server. */
function findOpener(environment: Environment): readonly [string, ...string[]] | undefined {
  const browser = readVariable(environment, 'BROWSER');
  if (browser !== undefined) return splitCommand(browser);
  const opener = OPENERS[process.platform];
  if (opener !== undefined) return opener;
  const hasScreen = (['DISPLAY', 'WAYLAND_DISPLAY'] as const).some(
    (name) => readVariable(environment, name) !== undefined,
  );
  return hasScreen ? ['xdg-open'] : undefined;
}

/** Opens an address in the browser of the user. Returns whether the program for it could be started. */
export function openBrowser(environment: Environment, address: string): Promise<boolean> {
  const opener = findOpener(environment);
  if (opener === undefined) return Promise.resolve(false);
  const [program, ...words] = opener;
  return new Promise((resolve) => {
    // Its output would be mixed with ours, and it goes on when we have ended.
    const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
