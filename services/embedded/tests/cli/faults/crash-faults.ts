import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortOrLong } from '@sluice/testkit';
import type { FaultCase, FaultTarget } from './fault-case.ts';

const FILE = 'out.file';
/** Names that appear in this order while a file is published. */
const STEPS = [
  /\.file\.part$/,
  /^out\.file\.[\da-f]{8}\.part$/,
  /receipt\.json\.part$/,
  /receipt\.json$/,
  /^out\.file$/,
];
/** Cases of each step, half of them with --force. */
const TRIES = shortOrLong(2, 4);

/** Puts an earlier download into the folder, with its receipt. */
async function placeOld(folder: string): Promise<string> {
  const sha256 = createHash('sha256').update('old').digest('hex');
  const receipt = { query_id: 'old', state: 'FINISHED', rows: 1, bytes: 3, sha256, limited: false };
  await writeFile(join(folder, FILE), 'old');
  await writeFile(join(folder, `${FILE}.receipt.json`), JSON.stringify({ version: 1, file: FILE, receipt }));
  return folder;
}

/** A process that is killed when a step of publishing its file begins, with and without an older file under the name. */
export function crashFaults(target: FaultTarget): FaultCase[] {
  return STEPS.flatMap((step) =>
    Array.from({ length: TRIES }, (_, index): FaultCase => {
      const isReplaced = index % 2 === 0;
      return {
        target: target.name,
        fault: `kill -9 when ${step.source} appears${isReplaced ? ', with --force' : ''}`,
        words: [...target.words(''), ...(isReplaced ? ['--force'] : [])],
        file: FILE,
        ...(isReplaced ? { place: placeOld } : {}),
        onStart: async (child, cwd) => {
          const watcher = watch(cwd, (_event, name) => {
            if (name !== null && step.test(name)) child.kill('SIGKILL');
          });
          await new Promise((resolve) => child.once('exit', resolve));
          watcher.close();
        },
        // It may have ended before the kill.
        exitCode: 'any',
        message: '',
        leaves: 'no file without its receipt',
      };
    }),
  );
}
