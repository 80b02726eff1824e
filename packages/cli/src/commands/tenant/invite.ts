import { defineCommand } from '../../command.ts';
import { printTenant } from '../../output/tenant-details.ts';
import { connectOperator } from '../../profiles/connect-operator.ts';

export const tenantInvite = defineCommand({
  name: 'tenant invite',
  summary: 'Invite an admin to a tenant (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN. For a tenant whose invitation has expired, or whose admins cannot log in.',
  arguments: { name: { meaning: 'Name of the tenant.', isRequired: true } },
  options: {
    adminEmail: {
      kind: 'text',
      value: 'EMAIL',
      meaning: 'E-mail of the admin. Without it: the person who opens the link chooses it.',
    },
  },
  examples: [
    {
      command: 'tenant invite acme --admin-email ann@acme.example',
      does: 'prints a new link for an admin',
      notRun: 'needs the token of an operator',
    },
  ],
  routes: ['POST /operator/tenants/{name}/invitations'],
  run: async (context, { arguments: { name }, options: { adminEmail } }) => {
    const client = await connectOperator(context);
    const body = adminEmail === undefined ? {} : { admin_email: adminEmail };
    await printTenant(context, await client.api.inviteAdmin({ params: { name }, body, signal: context.signal }));
  },
});
