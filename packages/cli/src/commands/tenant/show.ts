import { defineCommand } from '../../command.ts';
import { printTenant } from '../../output/tenant-details.ts';
import { connectOperator } from '../../profiles/connect-operator.ts';

export const tenantShow = defineCommand({
  name: 'tenant show',
  summary: 'Show a tenant (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN.',
  arguments: { name: { meaning: 'Name of the tenant.', isRequired: true } },
  options: {},
  examples: [{ command: 'tenant show acme', does: 'shows its state', notRun: 'needs the token of an operator' }],
  routes: ['GET /operator/tenants/{name}'],
  run: async (context, { arguments: { name } }) => {
    const client = await connectOperator(context);
    await printTenant(context, await client.api.getTenant({ params: { name }, signal: context.signal }));
  },
});
