/** Downloads that are cut at their source, read by Node.js and by curl. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { basic, emailOf, hostOf, json } from '../../helm/checks/manifest-tenants.mjs';
import { LONG_FILE, startFile } from './stream-checks.mjs';

const MIB = 2 ** 20;
/** curl's exit codes: 18 is a partial file, 92 an error of an HTTP/2 stream. */
const CURL = { 'HTTP/1.1': { option: '--http1.1', codes: [18, 56] }, 'HTTP/2': { option: '--http2', codes: [92, 56] } };

/** Starts a file with curl. Resolves when it arrives; `ended` resolves with the exit code. */
async function startCurl({ version, proxy, from }, certificate) {
  const host = hostOf('acme', 'stream');
  const { authorization } = basic(emailOf('acme'));
  const address = ['--resolve', `${host}:${proxy.port}:${proxy.address}`, '--interface', from, '--cacert', certificate];
  const headers = Object.entries({ authorization, ...json }).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const body = ['-d', JSON.stringify({ sql: LONG_FILE })];
  const url = `https://${host}:${proxy.port}/query/download/csv`;
  const args = ['-sS', '--fail', CURL[version].option, ...address, ...headers, ...body, url];
  const child = spawn('curl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const closed = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'readable'),
    closed.then(() => assert.fail(`curl ended immediately: ${errors}`)),
  ]);
  return {
    kill: () => child.kill('SIGKILL'),
    async ended() {
      child.stdout.resume();
      const [code] = await closed;
      return { code, errors };
    },
  };
}

/** Starts a file on each connection, with both clients, cuts all, and checks what each client sees. */
export async function checkCut(connections, certificate, cut, check, name) {
  const started = await Promise.all(
    connections.map(async (connection) => ({
      connection,
      file: await startFile(connection.client, MIB),
      curl: await startCurl(connection, certificate),
    })),
  );
  await cut();
  try {
    await checkClients(started, check, name);
  } finally {
    for (const { curl } of started) curl.kill();
  }
}

async function checkClients(started, check, name) {
  for (const { connection, file, curl } of started) {
    await check(`${connection.name}: a file is not complete for Node.js and curl when ${name}`, async () => {
      await assert.rejects(readAll(file.reads), /aborted|ECONNRESET|stream was reset|NGHTTP2|closed/i);
      const { code, errors } = await curl.ended();
      assert.ok(CURL[connection.version].codes.includes(code), `${code} ${errors}`);
      process.stdout.write(`${connection.name}: ${name}: curl ${code}\n`);
    });
  }
}

/** HAProxy 2.6 ends a cut response to HTTP/2 with END_STREAM, so that it looks complete. */
export async function checkOffer({ address, port }, ca) {
  const servername = hostOf('acme', 'stream');
  const socket = connect({ host: address, port, ca, servername, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.destroy();
}

async function readAll(reads) {
  for await (const read of reads) assert.ok(read);
}
