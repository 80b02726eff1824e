import { defineCommand } from '../../command.ts';
import { writeFields } from '../../output/fields.ts';
import { formatTime } from '../../output/format-time.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show the account, its permissions, the hosts, and where the login is kept',
  arguments: {},
  options: {},
  examples: [
    { command: 'whoami', does: 'shows who you are' },
    { command: 'whoami --profile staging --json', does: 'shows the account of another profile as JSON' },
  ],
  routes: ['GET /me'],
  run: async ({ terminal, globals, connect, signal }) => {
    const { client, apiUrl, streamUrl, login } = await connect();
    const me = await client.api.getMe({ signal });
    if (globals.isJson) {
      const { source: credentials, profile = null } = login;
      const document = { ...me, profile, api_url: apiUrl, stream_url: streamUrl, credentials };
      return await terminal.stdout.write(`${JSON.stringify(document)}\n`);
    }
    const ends = me.session_expires_ts;
    await writeFields(terminal.stdout, [
      ['Account', `${me.user} (${me.kind === 'user' ? 'user' : 'service account'})`],
      ['Tenant', me.tenant],
      ['Roles', me.roles.join(', ') || 'none'],
      ['Permissions', me.permissions.join(', ') || 'none'],
      ['API host', apiUrl],
      ['Stream host', streamUrl],
      ['Profile', login.profile ?? 'none; the environment has the credentials'],
      ['Session ends', ends === null ? 'with each request' : formatTime(ends, Date.now())],
      ['Login kept in', login.place],
    ]);
  },
});
