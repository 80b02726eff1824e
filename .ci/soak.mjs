// Runs the long forms, with random cases: `npm run soak` all of them, which takes hours; `npm run soak -- FILE ...` only these tests.
import { spawnSync } from 'node:child_process';

const npmRun = (...args) => ['npm', ['run', '--silent', ...args]];
const files = process.argv.slice(2);
const tests = ['npm', ['test', '--', ...files]];
const others = [
  npmRun('jest', '--', '--selectProjects', 'sql-rows'),
  npmRun('test:load'),
  npmRun('test:openapi', '--', '--long'),
];

const env = { ...process.env, SLUICE_SOAK: '1', PROPERTY_SEED: process.env.PROPERTY_SEED ?? 'random' };
const statuses = [tests, ...(files.length > 0 ? [] : others)].map(
  ([command, args]) => spawnSync(command, args, { stdio: 'inherit', env }).status,
);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
