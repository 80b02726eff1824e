import { defineCommand } from '../../command.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show the account, its roles and permissions',
  arguments: {},
  options: {},
  examples: [{ command: 'whoami', does: 'shows who you are' }],
  routes: ['GET /me'],
  run: async ({ terminal, globals, connect, signal }) => {
    const { client, tenant } = await connect();
    const me = await client.stream.getMe({ signal });
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify(me)}\n`);
    await terminal.stdout.write(`${me.user} in ${tenant}\n`);
  },
});
