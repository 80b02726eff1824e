import type { Client } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { formatFutureTime, formatTime, isoTime } from '../times/time.ts';
import { printDetails } from './print-details.ts';
import type { ListColumn } from './print-list.ts';

type Tenant = Awaited<ReturnType<Client['api']['getTenant']>>;
type Invited = Awaited<ReturnType<Client['api']['inviteAdmin']>>;

const domainsOf = ({ email_domains: domains }: Tenant): string | null => domains?.join(', ') ?? null;

export const TENANT_COLUMNS: readonly ListColumn<Tenant>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Created', cell: (each) => formatTime(each.created_ts), value: (each) => isoTime(each.created_ts) },
  {
    title: 'Removal requested',
    cell: (each) => formatTime(each.removal_requested_ts),
    value: (each) => isoTime(each.removal_requested_ts),
  },
  { title: 'E-mail domains', cell: domainsOf },
];

/** Prints a tenant, with the link of an invitation that was just made. */
export async function printTenant(
  context: Pick<CommandContext, 'terminal' | 'globals'>,
  tenant: Tenant | Invited,
): Promise<void> {
  const invitation = 'invitation' in tenant ? tenant.invitation : undefined;
  await printDetails(context, tenant, {
    title: tenant.name,
    fields: [
      ['State', tenant.state],
      ['Created', formatTime(tenant.created_ts)],
      ['Removal requested', formatTime(tenant.removal_requested_ts)],
      ['E-mail domains', domainsOf(tenant) ?? 'any'],
      ['Invitation', invitation?.url ?? null],
      ['Invitation ends', invitation === undefined ? null : formatFutureTime(invitation.expires_ts, Date.now())],
    ],
  });
}
