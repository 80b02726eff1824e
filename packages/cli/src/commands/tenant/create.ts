import { defineCommand } from '../../command.ts';
import { printTenant } from '../../output/tenant-details.ts';
import { connectOperator, requireOperatorRoutes } from '../../profiles/connect-operator.ts';

export const tenantCreate = defineCommand({
  name: 'tenant create',
  summary: 'Create a tenant and invite its first admin (operator)',
  description: 'Needs SLUICE_OPERATOR_TOKEN. The link of the invitation is shown once: send it to the admin.',
  arguments: { name: { meaning: 'Name of the tenant: a-z, 0-9 and hyphens.', isRequired: true } },
  options: {
    adminEmail: {
      kind: 'text',
      value: 'EMAIL',
      meaning: 'E-mail of the admin. Without it: the person who opens the link chooses it.',
    },
    emailDomain: { kind: 'list', value: 'DOMAIN', meaning: 'Domain of the e-mails of new users. Without it: any.' },
  },
  examples: [
    {
      command: 'tenant create acme --admin-email ann@acme.example',
      does: 'creates a tenant and prints the link for its admin',
      notRun: 'needs the token of an operator',
    },
  ],
  routes: ['POST /operator/tenants'],
  run: async (context, { arguments: { name }, options: { adminEmail, emailDomain } }) => {
    const client = await connectOperator(context);
    const body = {
      name,
      ...(adminEmail === undefined ? {} : { admin_email: adminEmail }),
      ...(emailDomain.length === 0 ? {} : { email_domains: [...emailDomain] }),
    };
    const tenant = await requireOperatorRoutes(client.api.createTenant({ body, signal: context.signal }));
    await printTenant(context, tenant);
  },
});
