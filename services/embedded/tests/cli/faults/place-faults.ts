import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FaultCase, FaultTarget } from './fault-case.ts';

const run = promisify(execFile);

/** Mounted file systems, which must be unmounted before their folders are removed. */
const mounts: string[] = [];

/** Returns a new file system of 1 MB, or undefined where the process may not mount one. */
export async function mountSmall(folder: string, options: string): Promise<string | undefined> {
  const path = join(folder, 'small');
  await mkdir(path);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=1m,${options}`, 'tmpfs', path]);
  } catch {
    return undefined;
  }
  mounts.push(path);
  return path;
}

export async function unmountAll(): Promise<void> {
  for (const path of mounts.splice(0)) await run('umount', [path]);
}

/** Whether this process may mount file systems: in a container of CI, it is root. */
export async function mayMount(folder: string): Promise<boolean> {
  return (await mountSmall(folder, 'rw')) !== undefined;
}

/** A shell that limits the size of a file to 512 kB, and lets the process see the error instead of the signal. */
export const LIMITED = ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f 1024; exec "$@"`, 'sh'];

const nothingLeft = (message: RegExp) => ({ exitCode: 1, message, leaves: 'nothing' }) as const;

/** Places that cannot take a file. `big` has more than 1 MB. */
export function placeFaults(target: FaultTarget, big: Pick<FaultTarget, 'words'>, canMount: boolean): FaultCase[] {
  const base = { target: target.name, words: target.words(''), file: 'out.file' };
  const large = { target: target.name, words: big.words(''), file: 'out.file' };
  const limited: FaultCase = {
    ...large,
    fault: 'limited file size',
    wrapper: LIMITED,
    ...nothingLeft(/^error: out\.file could not be written: the file would be larger .* out\.file was not written\.$/),
  };
  const full: FaultCase = {
    ...large,
    fault: 'full disk of 1 MB',
    place: async (folder) => (await mountSmall(folder, 'rw')) ?? folder,
    ...nothingLeft(/^error: out\.file could not be written: the disk is full\. .* out\.file was not written\.$/),
  };
  return [
    limited,
    ...(canMount ? [full] : []),
    {
      ...base,
      fault: 'read-only folder',
      place: async (folder) => {
        const mounted = canMount ? await mountSmall(folder, 'ro') : undefined;
        if (mounted === undefined) await chmod(folder, 0o555);
        return mounted ?? folder;
      },
      ...nothingLeft(
        /^error: out\.file could not be written: (the file system is read-only|you may not write in its folder)\. Choose another \w+\.$/,
      ),
    },
    {
      ...base,
      fault: 'missing folder',
      file: join('missing', 'out.file'),
      ...nothingLeft(/^error: missing\/out\.file could not be written: its folder does not exist\. /),
    },
    {
      ...base,
      fault: 'existing file',
      place: async (folder) => {
        await writeFile(join(folder, 'out.file'), 'mine');
        return folder;
      },
      exitCode: 1,
      message: /^error: out\.file exists\. Choose another name, or replace it with --force\.$/,
      leaves: 'the old file',
    },
    {
      target: target.name,
      words: target.words(''),
      fault: '/dev/full as stdout',
      stdout: '/dev/full',
      ...nothingLeft(/^error: .*ENOSPC/),
    },
  ];
}
