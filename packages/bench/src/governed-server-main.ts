// The governed baseline server: what a team builds that needs login and an audit record, with the usual libraries. Express checks a
// signed token, PostgreSQL stores one durable row before a query and its outcome after it, and the engine runs inside the server
// process. There is no queue, no isolation, no guard, no cancellation and no receipt. The PostgreSQL server is its own, with the settings
// of Sluice's embedded run.
// Prints one line of JSON: {"port":..., "token":"..."}. POST /query responds with Server-Sent Events.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { startPostgres } from '@sluice/embedded/postgres';
import express, { type Response } from 'express';
import { generateKeyPair, jwtVerify, SignJWT } from 'jose';
import pg from 'pg';

const [databaseFile = '', threads = '2'] = process.argv.slice(2);
const NAMES = { issuer: 'bench', audience: 'bench' };
/** The algorithm of Sluice's tokens, and the number of connections of its pool. */
const ALGORITHM = 'ES256';
const CONNECTIONS_MAX = 10;

const keys = await generateKeyPair(ALGORITHM);
const token = await new SignJWT({})
  .setProtectedHeader({ alg: ALGORITHM })
  .setIssuer(NAMES.issuer)
  .setAudience(NAMES.audience)
  .setSubject('analyst@acme.example')
  .setExpirationTime('1h')
  .sign(keys.privateKey);

const postgres = await startPostgres({
  folder: join(tmpdir(), 'sluice-bench-governed'),
  secrets: { superuserPassword: 'bench', ownerPassword: 'bench' }, // a server on the loopback with the bench's rows only
  durability: 'full',
  announce: () => undefined,
});
const records = new pg.Pool({ connectionString: postgres.ownerUrl, max: CONNECTIONS_MAX });
await records.query(`drop table if exists queries; create table queries (
  id uuid primary key, user_name text not null, sql text not null, started timestamptz not null default now(),
  ended timestamptz, rows bigint, bytes bigint)`);
const BEGIN = { name: 'begin', text: 'insert into queries (id, user_name, sql) values ($1, $2, $3)' };
const END = { name: 'end', text: 'update queries set ended = now(), rows = $2, bytes = $3 where id = $1' };

const instance = await DuckDBInstance.create(':memory:');
const setup = await instance.connect();
await setup.run(`ATTACH '${databaseFile.replaceAll("'", "''")}' AS demo (READ_ONLY)`);
await setup.run(`SET GLOBAL threads = ${Number(threads)}`);
await setup.run("SET GLOBAL disabled_optimizers = 'late_materialization'"); // as in the baseline server

/** Streams the rows of a query and returns their number and size. */
async function sendRows(sql: string, response: Response): Promise<{ readonly rows: number; readonly bytes: number }> {
  const connection = await instance.connect();
  let [count, bytes] = [0, 0];
  try {
    await connection.run('USE demo.vega');
    const result = await connection.stream(sql);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const rows of result.yieldRowObjectJson()) {
      for (const row of rows) {
        const event = `data: ${JSON.stringify({ type: 'row', data: row })}\n\n`;
        count += 1;
        bytes += Buffer.byteLength(event);
        if (!response.write(event)) await once(response, 'drain');
      }
    }
    return { rows: count, bytes };
  } finally {
    connection.closeSync();
  }
}

const app = express();
app.use(express.json());
app.post('/query', async (request, response) => {
  const credential = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const { payload } = await jwtVerify(credential, keys.publicKey, { algorithms: [ALGORITHM], ...NAMES });
  const { sql } = request.body as { readonly sql: string };
  const id = randomUUID();
  await records.query({ ...BEGIN, values: [id, payload.sub, sql] });
  const { rows, bytes } = await sendRows(sql, response);
  await records.query({ ...END, values: [id, rows, bytes] });
  response.end('data: {"type":"complete"}\n\n');
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ port, token })}\n`);
});
