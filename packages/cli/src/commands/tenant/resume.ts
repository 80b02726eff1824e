import { defineCommand } from '../../command.ts';
import { printTenant } from '../../output/tenant-details.ts';
import { connectOperator } from '../../profiles/connect-operator.ts';

export const tenantResume = defineCommand({
  name: 'tenant resume',
  summary: 'Resume a suspended tenant (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN.',
  arguments: { name: { meaning: 'Name of the tenant.', isRequired: true } },
  options: {},
  examples: [
    { command: 'tenant resume acme', does: 'lets its users work again', notRun: 'needs the token of an operator' },
  ],
  routes: ['POST /operator/tenants/{name}/resume'],
  run: async (context, { arguments: { name } }) => {
    const client = await connectOperator(context);
    await printTenant(context, await client.api.resumeTenant({ params: { name }, signal: context.signal }));
  },
});
