import type { ResultShare } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { explainMissing, findResult, RESULT_ARGUMENT } from '../../kept-results/find-result.ts';
import { LAST_RESULT } from '../../kept-results/last-result.ts';

const toShares = (kind: ResultShare['kind'], names: readonly string[]): readonly ResultShare[] =>
  names.map((name) => ({ kind, name }));

export const resultShare = defineCommand({
  name: 'result share',
  summary: 'Set who may view one of your kept results besides you',
  description:
    'The options replace all shares. Another user must also be allowed by the engine to read the tables of the statement; this is checked at each view.',
  arguments: { id: RESULT_ARGUMENT },
  options: {
    role: { kind: 'list', value: 'NAME', meaning: 'Share with the users and service accounts of a role.' },
    user: { kind: 'list', value: 'EMAIL', meaning: 'Share with a user.' },
    client: { kind: 'list', value: 'ID', meaning: 'Share with a service account.' },
    none: { kind: 'flag', meaning: 'End all shares.' },
  },
  examples: [
    { command: `result share "${LAST_RESULT}" --role analyst`, does: 'shares your last kept result with a role' },
    { command: `result share "${LAST_RESULT}" --none`, does: 'ends all its shares' },
  ],
  routes: ['PUT /query/{id}/share', 'GET /query/history'],
  run: async (context, { arguments: { id }, options: { role, user, client: clients, none } }) => {
    const { terminal, globals, signal } = context;
    const shares = [...toShares('role', role), ...toShares('user', user), ...toShares('client', clients)];
    if (none === shares.length > 0)
      throw new UsageError('Say with whom: --role NAME, --user EMAIL or --client ID; or --none to end all shares.');
    const { client } = await context.connect();
    const result = await findResult(context, client, id);
    const stored = await result.share(shares, { signal }).catch(explainMissing(result.id));
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify({ shares: stored })}\n`);
    const names = stored.map(({ kind, name }) => `${kind} ${name}`).join(', ');
    const sentence =
      stored.length === 0
        ? `No other account may view the result of query ${result.id} now.`
        : `Shared with ${names}. They view it by its id: \`sluice result show ${result.id}\`.`;
    await terminal.stderr.write(`${sentence}\n`);
  },
});

export const resultDelete = defineCommand({
  name: 'result delete',
  summary: 'Delete one of your kept results before it expires',
  arguments: { id: RESULT_ARGUMENT },
  options: {},
  examples: [{ command: `result delete "${LAST_RESULT}"`, does: 'deletes your last kept result' }],
  routes: ['DELETE /query/{id}/result', 'GET /query/history'],
  run: async (context, { arguments: { id } }) => {
    const { terminal, signal } = context;
    const { client } = await context.connect();
    const result = await findResult(context, client, id);
    await result.delete({ signal }).catch(explainMissing(result.id));
    await terminal.stderr.write(`The kept result of query ${result.id} is deleted.\n`);
  },
});
