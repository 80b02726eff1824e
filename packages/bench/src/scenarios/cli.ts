import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BENCH_HOME, prepareBenchHome } from '../bench-home.ts';
import type { Finding } from '../report.ts';
import { type SluiceProcess, startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';

interface CliOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

const SLUICE = fileURLToPath(new URL('../../../cli/dist/sluice.js', import.meta.url));
/** Starts of each program in a round. They are interleaved, so that load hits all of them alike. */
const STARTS = 7;

/** Runs a program to its end and returns the milliseconds that it took. */
async function timeOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`node ${args.join(' ')} exited with ${code}.`);
  return performance.now() - started;
}

const accountOf = ({ apiUrl, streamUrl }: SluiceProcess): NodeJS.ProcessEnv => ({
  PATH: '/usr/bin:/bin',
  // A home without profiles.
  HOME: BENCH_HOME,
  XDG_CONFIG_HOME: BENCH_HOME,
  SLUICE_API_URL: apiUrl,
  SLUICE_STREAM_URL: streamUrl,
  SLUICE_TENANT: 'acme',
  SLUICE_EMAIL: 'analyst@acme.example',
  SLUICE_PASSWORD: 'sluice-demo',
});

/** Measures how long the command line takes to start, against Node.js alone, and a cold `whoami` with its login. */
export async function measureCli({ rounds, print }: CliOptions): Promise<readonly Finding[]> {
  await prepareBenchHome();
  await using sluice = await startSluice(BENCH_HOME);
  const env = accountOf(sluice);
  const programs = {
    node: ['-e', '0'],
    version: [SLUICE, '--version'],
    help: [SLUICE, 'query', '--help'],
    whoami: [SLUICE, 'whoami'],
  };
  const times: Record<keyof typeof programs, number[]> = { node: [], version: [], help: [], whoami: [] };
  const names = Object.keys(programs) as (keyof typeof programs)[];
  for (const name of names) await timeOf(programs[name], env);
  for (let round = 0; round < rounds; round += 1) {
    print(`Round ${round + 1} of ${rounds} ...`);
    for (let start = 0; start < STARTS; start += 1)
      for (const name of names) times[name].push(await timeOf(programs[name], env));
  }
  const node = median(times.node);
  const finding = (name: 'version' | 'help', command: string): Finding => ({
    name: `command line: start of \`${command}\` against \`node -e 0\``,
    measured: median(times[name]) / node,
    unit: 'x',
    floor: 2.5,
    goal: 2,
    better: 'lower',
    detail: `${median(times[name]).toFixed(0)} ms against ${node.toFixed(0)} ms`,
  });
  return [
    finding('version', 'sluice --version'),
    finding('help', 'sluice query --help'),
    {
      name: 'command line: `sluice whoami` with a password, from start to end',
      measured: median(times.whoami),
      unit: 'ms',
      floor: 1_000,
      goal: 500,
      better: 'lower',
      detail: `of which ${node.toFixed(0)} ms Node.js alone; two requests, one of them the login with argon2id`,
    },
  ];
}
