import { defineCommand } from '../../command.ts';
import { printTenant } from '../../output/tenant-details.ts';
import { connectOperator } from '../../profiles/connect-operator.ts';

export const tenantSuspend = defineCommand({
  name: 'tenant suspend',
  summary: 'Suspend a tenant: reject its requests and stop its queries (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN.',
  arguments: { name: { meaning: 'Name of the tenant.', isRequired: true } },
  options: {},
  examples: [
    { command: 'tenant suspend acme', does: 'stops everything of a tenant', notRun: 'needs the token of an operator' },
  ],
  routes: ['POST /operator/tenants/{name}/suspend'],
  run: async (context, { arguments: { name } }) => {
    const client = await connectOperator(context);
    await printTenant(context, await client.api.suspendTenant({ params: { name }, signal: context.signal }));
  },
});
