// The baseline server: the engine inside the server process, one JavaScript object, JSON.stringify and write per row.
// Prints its port. GET /?sql=... responds with Server-Sent Events.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { DuckDBInstance } from '@duckdb/node-api';

const [databaseFile = '', threads = '2'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:');
const setup = await instance.connect();
await setup.run(`ATTACH '${databaseFile.replaceAll("'", "''")}' AS demo (READ_ONLY)`);
await setup.run(`SET GLOBAL threads = ${Number(threads)}`);
// Sluice sets this too, for statements without an order. Without it LIMIT 100 costs 4 times as much.
await setup.run("SET GLOBAL disabled_optimizers = 'late_materialization'");

async function respond(sql: string, response: ServerResponse): Promise<void> {
  const connection = await instance.connect();
  try {
    await connection.run('USE demo.vega');
    const result = await connection.stream(sql);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const rows of result.yieldRowObjectJson()) {
      for (const row of rows) {
        if (!response.write(`data: ${JSON.stringify({ type: 'row', data: row })}\n\n`)) await once(response, 'drain');
      }
    }
    response.end('data: {"type":"complete"}\n\n');
  } finally {
    connection.closeSync();
  }
}

const server = createServer((request, response) => {
  const sql = new URL(request.url ?? '/', 'http://localhost').searchParams.get('sql') ?? '';
  respond(sql, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
