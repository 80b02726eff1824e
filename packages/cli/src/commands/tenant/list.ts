import { defineCommand } from '../../command.ts';
import { printList } from '../../output/print-list.ts';
import { TENANT_COLUMNS } from '../../output/tenant-details.ts';
import { connectOperator, requireOperatorRoutes } from '../../profiles/connect-operator.ts';

export const tenantList = defineCommand({
  name: 'tenant list',
  summary: 'List the tenants (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN. With `--json`, one JSON object per line.',
  arguments: {},
  options: {},
  examples: [{ command: 'tenant list', does: 'lists every tenant', notRun: 'needs the token of an operator' }],
  routes: ['GET /operator/tenants'],
  run: async (context) => {
    const client = await connectOperator(context);
    const { data } = await requireOperatorRoutes(client.api.listTenants({ signal: context.signal }));
    const entries = async function* () {
      yield* data;
    };
    await printList(context, entries(), { what: 'tenants', columns: TENANT_COLUMNS });
  },
});
