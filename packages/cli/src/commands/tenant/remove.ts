import { defineCommand } from '../../command.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { printTenant } from '../../output/tenant-details.ts';
import { connectOperator } from '../../profiles/connect-operator.ts';
import { askLine } from '../../terminal/prompt.ts';

export const tenantRemove = defineCommand({
  name: 'tenant remove',
  summary: 'Request the removal of a suspended tenant (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN, and asks for the name once more. Without a terminal, give --yes.',
  arguments: { name: { meaning: 'Name of the tenant.', isRequired: true } },
  options: { yes: { kind: 'flag', meaning: 'Do not ask.' } },
  examples: [
    {
      command: 'tenant remove acme',
      does: 'requests the removal of all its data',
      notRun: 'needs the token of an operator',
    },
  ],
  routes: ['DELETE /operator/tenants/{name}'],
  run: async (context, { arguments: { name }, options: { yes } }) => {
    const client = await connectOperator(context);
    const { terminal, signal } = context;
    if (!yes) {
      if (!terminal.isInteractive) throw new UsageError(`Give --yes to remove the tenant ${name} without a question.`);
      const typed = await askLine(terminal, `All data of ${name} will be removed. Type its name to go on`, signal);
      if (typed !== name) throw new CommandError('Nothing was removed, because another name was typed.');
    }
    await printTenant(context, await client.api.removeTenant({ params: { name }, signal }));
  },
});
