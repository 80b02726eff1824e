import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LineProgram } from '@sluice/testkit';
import { remoteSteps, type TestedClient } from './tested-client.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('go', import.meta.url));
const BINARY = join(homedir(), '.cache', 'sluice-components', 'oauth-client-go');

const program = new LineProgram(BINARY);

/** It has no discovery and no revocation. It finds out how the server wants the client id: first by HTTP Basic, then in the form. */
export const goOauth2: TestedClient = {
  name: 'golang.org/x/oauth2',
  has: { revocation: false, issuerCheck: false },
  install: async () => {
    await mkdir(dirname(BINARY), { recursive: true });
    // Go keeps its own cache, so a program that has not changed is built in a moment.
    await run('go', ['build', '-o', BINARY, '.'], { cwd: FOLDER });
    await program.start();
  },
  steps: remoteSteps((request) => program.call(request)),
  stop: () => program[Symbol.dispose](),
};
