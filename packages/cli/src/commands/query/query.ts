import { defineCommand } from '../../command.ts';

export const query = defineCommand({
  name: 'query',
  summary: 'Run a statement and print its rows',
  arguments: { sql: { meaning: 'The statement.', isRequired: true } },
  options: {},
  examples: [{ command: "query 'SELECT 1 AS one'", does: 'prints one row' }],
  routes: ['POST /query'],
  exitCodes: [3],
  run: async ({ terminal, connect, signal }, { arguments: { sql } }) => {
    const { client } = await connect();
    const run = client.query(sql, { numbers: 'string', signal });
    for await (const rows of run.batches()) {
      await terminal.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  },
});
