// Tests both hosts against their OpenAPI documents with schemathesis: each branch of the schemas of the stream host, and random requests to the API
// host. `--random` tests each branch of the API host, which takes five minutes, and sends random requests to both, sequences of them and requests
// without credentials; `--long` sends 500 of them per operation instead of a few, which takes hours. `--report FILE` writes
// `{ passed, failed, failures }`; each operation of a run counts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPythonTools } from '../deploy/components/python-tools.mjs';

const FOLDER = resolve('.ci/openapi');
const HOST = '127.0.0.1';
const LONG_EXAMPLES = 500;
const OPERATOR_TOKEN = 'the-operator-token-of-the-openapi-tests';
const ADMIN = { email: 'admin@acme.example', password: 'sluice-demo' };
/** Actions of audit records that may have ended the session of a run, and how many of the last ones are shown. */
const ENDING_ACTIONS = [
  'LOGOUT',
  'END_SESSION',
  'END_SESSIONS',
  'REFRESH_TOKEN_REUSED',
  'UPDATE_SESSION_SETTINGS',
  'UPDATE_IDENTITY_PROVIDER',
  'UPDATE_USER',
  'DELETE_USER',
  'CHANGE_PASSWORD',
  'RESET_PASSWORD',
  'UPDATE_ROLE',
  'APPLY_CONFIGURATION',
  'ROTATE_KEYS',
  'REVOKE_KEY',
];
const ENDS_SHOWN = 20;
/** Each run draws the same cases, unless PROPERTY_SEED is `random`. */
const SEED = process.env.PROPERTY_SEED === 'random' ? String(Date.now()) : '17';

const RANDOM_PHASES = 'fuzzing,stateful';

const { values: options } = parseArgs({
  options: {
    random: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});
const isRandom = options.random || options.long;
/** Fewest requests to a host that prove something. */
const REQUESTS_MIN = isRandom ? { api: 5000, stream: 300 } : { api: 300, stream: 1000 };

const WITHOUT_CREDENTIALS = [
  { host: 'stream', credentials: false, examples: 4, phases: `examples,coverage,${RANDOM_PHASES}` },
  { host: 'api', credentials: false, examples: 2, phases: 'fuzzing' },
];
/** Two sequences at the same time, of about the same length, because schemathesis uses one processor. `npm run soak` has many more examples. */
const SEQUENCES = [
  [
    { host: 'stream', credentials: true, examples: 8, phases: isRandom ? RANDOM_PHASES : 'examples,coverage' },
    ...(isRandom ? WITHOUT_CREDENTIALS : []),
  ],
  [{ host: 'api', credentials: true, examples: 2, phases: isRandom ? `coverage,${RANDOM_PHASES}` : 'fuzzing' }],
];

/** Runs a command, prints its output when it ends, and returns its exit code. */
function runBuffered(file, args, settings) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(chunks));
      resolve(code);
    });
  });
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, HOST, done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts both hosts embedded, with new ports and a new home. */
async function startSluice(scratch) {
  const [api, stream, provider] = [await freePort(), await freePort(), await freePort()];
  const environment = {
    SLUICE_HOME: join(scratch, 'home'),
    API_PORT: String(api),
    STREAM_PORT: String(stream),
    IDP_PORT: String(provider),
    OPERATOR_TOKEN,
    // hooks.py sends each wrong credential from another address.
    TRUSTED_PROXIES: HOST,
    LOG_LEVEL: 'error',
  };
  const child = spawn('node', ['services/embedded/dist/main.js'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('close', done));
  let printed = '';
  const ready = new Promise((done) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      if (printed.includes('Sluice is ready')) done(true);
    });
  });
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error(`Sluice did not start:\n${printed}`);
  return { urls: { api: `http://${HOST}:${api}`, stream: `http://${HOST}:${stream}` }, stop };
}

async function logIn(urls) {
  const response = await fetch(`${urls.api}/auth/login/acme`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  if (!response.ok) throw new Error(`The admin cannot log in: ${response.status} ${await response.text()}`);
  return (await response.json()).id_token;
}

/** Returns why the stream host refuses the credentials; undefined: it accepts them. */
async function refusalOf(urls, token) {
  const response = await fetch(`${urls.stream}/query`, { headers: { idtoken: token } });
  return response.status === 200 ? undefined : `${response.status} ${await response.text()}`;
}

/** Returns the last records of what can end a session, one per line. */
async function findEnds(urls) {
  const response = await fetch(`${urls.api}/audits/logs/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', idtoken: await logIn(urls) },
    body: JSON.stringify({ size: ENDS_SHOWN, advance_options: { actions: ENDING_ACTIONS } }),
  });
  const { data = [] } = await response.json();
  return data.map((record) => JSON.stringify(record)).join('\n');
}

function writeConfiguration(scratch, { credentials }) {
  const path = join(scratch, credentials ? 'with.toml' : 'without.toml');
  const parts = [
    `hooks = ${JSON.stringify(join(FOLDER, 'hooks.py'))}`,
    readFileSync(join(FOLDER, 'schemathesis.toml'), 'utf8'),
  ];
  if (credentials) parts.push(readFileSync(join(FOLDER, 'credentials.toml'), 'utf8'));
  writeFileSync(path, parts.join('\n'));
  return path;
}

/** Runs schemathesis once, which prints the operations that failed, and returns the counts. */
async function testHost({ host, credentials, examples, phases }, { executable, scratch, urls, token }) {
  const start = performance.now();
  const report = join(scratch, `${host}-${credentials ? 'with' : 'without'}.json`);
  const status = await runBuffered(
    executable,
    [
      ...['--config-file', writeConfiguration(scratch, { credentials }), 'run', `${urls[host]}/openapi.json`],
      ...['--max-examples', String(options.long ? LONG_EXAMPLES : examples), '--seed', SEED, '--no-color'],
      ...['--phases', phases],
      ...['--report', 'json', '--report-json-path', report],
    ],
    {
      cwd: scratch,
      env: { ...process.env, SLUICE_ID_TOKEN: token, SLUICE_OPERATOR_TOKEN: OPERATOR_TOKEN },
    },
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  process.stdout.write(
    `--- end of the ${host} host ${credentials ? 'with' : 'without'} credentials, after ${seconds} s\n`,
  );
  const { operations, test_cases, failures, errors } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = new Set(
    failures.flatMap((failure) => failure.operations.map((operation) => JSON.stringify(operation))),
  );
  const problems = failed.size + errors.length;
  return {
    host,
    requests: test_cases.generated,
    passed: Math.max(0, operations.tested - problems),
    failed: status === 0 ? 0 : Math.max(1, problems),
    failures: [...failed, ...errors.map((error) => JSON.stringify(error))].map((each) => `${host} host: ${each}`),
  };
}

/** Returns the problems of the runs as a whole: a run that lost its credentials or sent few requests proves nothing. */
async function findProblems(results, { urls, token }) {
  const problems = [];
  const refusal = await refusalOf(urls, token);
  if (refusal !== undefined) {
    problems.push(`the credentials were lost during the run: ${refusal}`);
    process.stderr.write(`${await findEnds(urls)}\n`);
  }
  for (const host of ['api', 'stream']) {
    const requests = results.filter((result) => result.host === host).reduce((sum, result) => sum + result.requests, 0);
    process.stdout.write(`${host} host: ${requests} requests\n`);
    if (requests < REQUESTS_MIN[host])
      problems.push(`the ${host} host received ${requests} requests instead of ${REQUESTS_MIN[host]}`);
  }
  for (const problem of problems) process.stderr.write(`OpenAPI: ${problem}\n`);
  return problems;
}

async function main() {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-openapi-'));
  try {
    const programs = installPythonTools('schemathesis', join(FOLDER, 'requirements.txt'));
    const executable = join(programs, 'schemathesis');
    const sluice = await startSluice(scratch);
    try {
      const token = await logIn(sluice.urls);
      const { urls } = sluice;
      const results = [];
      const testInTurn = async (runs) => {
        for (const each of runs) results.push(await testHost(each, { executable, scratch, urls, token }));
      };
      await Promise.all(SEQUENCES.map(testInTurn));
      const problems = await findProblems(results, { urls, token });
      const sum = (key) => results.reduce((total, result) => total + result[key], 0);
      return {
        passed: sum('passed'),
        failed: sum('failed') + problems.length,
        failures: [...results.flatMap((result) => result.failures), ...problems],
      };
    } finally {
      await sluice.stop();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const counts = await main();
process.stdout.write(`OpenAPI: ${counts.passed} passed, ${counts.failed} failed\n`);
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
