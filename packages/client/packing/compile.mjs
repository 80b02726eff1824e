import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Compiles the client and the contract to their folders `dist`, unless that is done. They are what the published package contains. */
export async function compileClient() {
  await promisify(execFile)(process.execPath, [COMPILER, '--build', PACKAGE]).catch((error) => {
    // The compiler reports to standard output.
    throw new Error(`The client does not compile:\n${error.stdout}`, { cause: error });
  });
}
