import { defineCommand } from '../../command.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { printList } from '../../output/print-list.ts';
import { printTenant, TENANT_COLUMNS } from '../../output/tenant-details.ts';
import { connectOperator, requireOperatorRoutes } from '../../profiles/connect-operator.ts';
import { askLine } from '../../terminal/prompt.ts';

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
