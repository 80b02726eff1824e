/**
 * Runs the tests of a Trino that keeps results in an S3-compatible store: `npm run test:spooled`. Go builds that store, which takes many minutes
 * the first time, so no suite contains them. The last line is "N passed, N failed".
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJestSuite } from './jest-run.mjs';

const TRINO = 'deploy/components/trino.mjs';
const MINIO = 'deploy/components/minio.mjs';
/** Ways in which clients fetch segments of rows: through Trino, and from the store directly. */
const RETRIEVALS = ['coordinator_proxy', 'storage'];
const STORE = { port: '29010', bucket: 'spool', secret: 'sluice-tests' };
const TRINO_PORT = '28092';
const storeUrl = `http://127.0.0.1:${STORE.port}`;

const node = (...args) => spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

/** Starts a server, runs the work, and stops the server if it did not run before. */
async function withServer(script, options, work) {
  const isRunning = node(script, 'status', ...options);
  try {
    if (!node(script, 'start', ...options)) throw new Error(`${script} cannot start. See its output above.`);
    return await work();
  } finally {
    if (!isRunning) node(script, 'stop', ...options);
  }
}

const SUITE = {
  name: 'spooled',
  tests: [{ name: 'spooled' }],
  workers: 1,
  environment: {
    SLUICE_TEST_SPOOLED_TRINO: `http://127.0.0.1:${TRINO_PORT}`,
    SLUICE_TEST_SPOOLED_STORE: storeUrl,
  },
};
const S3 = ['--s3-endpoint', storeUrl, '--s3-location', `s3://${STORE.bucket}/trino/`];
const KEYS = ['--s3-key', STORE.secret, '--s3-secret', STORE.secret];

const scratch = mkdtempSync(join(tmpdir(), 'sluice-spooled-'));
const store = ['--port', STORE.port, '--bucket', STORE.bucket, '--key', STORE.secret, '--secret', STORE.secret];
const results = await withServer(MINIO, store, async () => {
  const all = [];
  for (const retrieval of RETRIEVALS) {
    const options = ['--port', TRINO_PORT, ...S3, ...KEYS, '--s3-retrieval', retrieval];
    all.push(await withServer(TRINO, options, () => runJestSuite(SUITE, scratch)));
  }
  return all;
});
rmSync(scratch, { recursive: true, force: true });

for (const failure of results.flatMap(({ failures }) => failures)) process.stderr.write(`${failure}\n`);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
