import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';

export const marketRequest = defineCommand({
  name: 'market request',
  summary: 'Request access to an item from its owner',
  description: 'The owner or an admin decides. `sluice market show ID` shows the state of your request.',
  arguments: { id: { meaning: 'Id of the item.', isRequired: true, completes: 'item' } },
  options: { reason: { kind: 'text', value: 'TEXT', meaning: 'What you need the data for. Required.' } },
  examples: [
    {
      command: "market request flight-pack --reason 'Delay report of June'",
      does: 'requests access',
      notRun: 'the demo has granted every item',
    },
  ],
  routes: ['POST /marketplace/{id}/access-requests'],
  run: async ({ terminal, globals, connect, signal }, { arguments: { id }, options: { reason } }) => {
    if (reason === undefined || reason.trim() === '')
      throw new UsageError("Say what you need the data for: --reason 'TEXT'.");
    const { client } = await connect();
    const request = await client.stream.requestMarketplaceAccess({ params: { id }, body: { reason }, signal });
    if (globals.isJson) return await terminal.stdout.write(`${JSON.stringify(request)}\n`);
    await terminal.stderr.write(
      `Requested. The owner of ${id} decides; \`sluice market show ${id}\` shows what was decided.\n`,
    );
  },
});
