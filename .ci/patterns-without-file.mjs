import { spawnSync } from 'node:child_process';

/** Those of the patterns by which a configuration of Jest finds no test file; patterns are read as Jest reads them. */
export function patternsWithoutFile(config, patterns) {
  const args = ['node_modules/jest/bin/jest.js', '--config', config, '--listTests', '--json'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Jest cannot list the tests of ${config}: ${stderr}`);
  const files = JSON.parse(stdout);
  return patterns.filter((pattern) => !files.some((file) => new RegExp(pattern, 'i').test(file)));
}
