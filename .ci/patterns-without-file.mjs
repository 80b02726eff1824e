import { spawnSync } from 'node:child_process';

/** Returns the patterns that match no test file of the given projects of `jest.config.mjs`. Jest's own rules of matching apply. */
export function patternsWithoutFile(projects, patterns) {
  const args = ['node_modules/jest/bin/jest.js', '--listTests', '--json', '--selectProjects', ...projects];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Jest cannot list the tests of ${projects.join(' and ')}: ${stderr}`);
  // Jest names the projects that it runs before the list.
  const files = JSON.parse(stdout.slice(stdout.indexOf('[')));
  return patterns.filter((pattern) => !files.some((file) => new RegExp(pattern, 'i').test(file)));
}
