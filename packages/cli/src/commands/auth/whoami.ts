import { defineCommand } from '../../command.ts';
import { type Details, printDetails } from '../../output/print-details.ts';
import { formatFutureTime } from '../../times/format-time.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Show the account, its permissions, the hosts, and where the login is kept',
  arguments: {},
  options: {},
  examples: [
    { command: 'whoami', does: 'shows who you are' },
    {
      command: 'whoami --profile staging --json',
      does: 'shows the account of another profile as JSON',
      notRun: 'needs a profile',
    },
  ],
  routes: ['GET /me'],
  run: async (context) => {
    const { client, apiUrl, streamUrl, login } = await context.connect();
    const me = await client.api.getMe({ signal: context.signal });
    const { source: credentials, profile = null } = login;
    const ends = me.session_expires_ts;
    const details: Details = {
      title: `${me.user} in ${me.tenant}`,
      fields: [
        ['Kind', me.kind === 'user' ? 'user' : 'service account'],
        ['Roles', me.roles.join(', ') || 'none'],
        ['Permissions', me.permissions.join(', ') || 'none'],
        ['API host', apiUrl],
        ['Stream host', streamUrl],
        ['Profile', profile],
        ['Session ends', ends === null ? null : formatFutureTime(ends, Date.now())],
        ['Login kept in', login.place],
      ],
    };
    await printDetails(context, { ...me, profile, api_url: apiUrl, stream_url: streamUrl, credentials }, details);
  },
});
