// Runs each command of the README as written: `npm start` until it is ready, curl with the output that the README shows, and the
// others until they exit. Also runs the curl command that `npm start` prints.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `npm test` is an earlier step of .ci/run. Cloning needs a network that a build machine may not have. */
const RUN_ELSEWHERE = ['npm test', 'git clone '];

const readme = readFileSync('README.md', 'utf8');
const commandsOf = (block) =>
  block
    .replaceAll('\\\n', '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
/** Commands with the output that the README shows for them, if any: the text block after that of the command. */
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```(?:\s*```text\n([\s\S]*?)```)?/g)].flatMap(
  ([, block, shown]) => commandsOf(block).map((command) => ({ command, shown })),
);

const problems = [];
const home = mkdtempSync(join(tmpdir(), 'sluice-readme-'));
const environment = { ...process.env, SLUICE_HOME: home };

async function start() {
  const child = spawn('npm', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let printed = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ready = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      process.stdout.write(text);
      if (printed.includes('Sluice is ready') && printed.includes('curl')) resolve(true);
    });
  });
  const isReady = await Promise.race([ready, ended.then(() => false)]);
  return {
    isReady,
    printed: () => printed,
    stop: async () => {
      process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}

const shell = (command) => spawnSync('sh', ['-c', command], { encoding: 'utf8', env: environment });

const sluice = await start();
try {
  if (!sluice.isReady) problems.push('npm start exited before Sluice was ready');
  for (const { command, shown } of commands) {
    if (command === 'npm start' || RUN_ELSEWHERE.some((known) => command.startsWith(known))) continue;
    process.stdout.write(`$ ${command}\n`);
    const run = shell(command);
    process.stdout.write(run.stdout);
    if (run.status !== 0) problems.push(`${command} exited with ${run.status}: ${run.stderr}`);
    if (command.startsWith('curl') && run.stdout.trim() !== shown?.trim())
      problems.push(`${command} prints another output than the README shows`);
  }
  const printedCurl =
    sluice
      .printed()
      .split('\n')
      .find((line) => line.startsWith('curl')) ?? 'false';
  const pasted = shell(printedCurl);
  if (pasted.status !== 0 || !pasted.stdout.includes('"type":"complete"'))
    problems.push('the curl that npm start prints does not work as pasted');
} finally {
  await sluice.stop();
  rmSync(home, { recursive: true, force: true });
}

if (!['npm start', 'npm test'].every((wanted) => commands.some(({ command }) => command === wanted)))
  problems.push('the README does not show npm start and npm test');
for (const problem of problems) process.stderr.write(`README: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
