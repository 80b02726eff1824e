import { spawnSync } from 'node:child_process';

const NAME = 'forceExit|--force-exit';

/**
 * Returns the tracked files that make Jest exit while handles are open (`--forceExit`), which hides leaks of the product and of tests.
 */
export function findForceExit() {
  const args = [
    'grep',
    '--extended-regexp',
    '--files-with-matches',
    NAME,
    '--',
    '*.json',
    '*.mjs',
    '*.ts',
    '*.yml',
    '.ci',
    ':!.ci/force-exit.mjs',
  ];
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8' });
  // 0: files match. 1: none does. More: git failed.
  if (status > 1) throw new Error('git grep failed, so nothing is known about forced exits.');
  return stdout.split('\n').filter((line) => line !== '');
}
