import { randomUUID } from 'node:crypto';
import type { RevalidateCaller, TicketSeal } from '@sluice/auth';
import {
  auditOf,
  type Caller,
  type CreatedTicket,
  type Principal,
  ProblemError,
  type Tenant,
  type TicketRequest,
} from '@sluice/contract';
import type { OneTimeValues } from '@sluice/shared-state';
import type { AuditStore } from '@sluice/store/audit';
import { z } from 'zod';

interface TicketDependencies {
  readonly oneTimeValues: OneTimeValues;
  readonly ticketSeal: TicketSeal;
  readonly revalidateCaller: RevalidateCaller;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly ticketLifetimeMs: number;
  readonly ticketsPerUser: number;
}

/** A download with its input, validated by the schemas of its operation. */
export interface TicketDownload {
  /** Id of the operation. */
  readonly operation: string;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

interface NewTicket extends Pick<TicketRequest, 'method' | 'path'> {
  readonly download: TicketDownload;
}

/**
 * Stores a download that was checked, and records that. Throws `too_many_requests` when the account has too many unused tickets, and
 * `audit_unavailable` when the record cannot be written.
 */
export type CreateTicket = (caller: Caller, ticket: NewTicket) => Promise<CreatedTicket>;

/** The download of a ticket, with the present rights of the account that created it. */
export interface TakenTicket {
  readonly principal: Principal;
  readonly queryId: string;
  readonly download: TicketDownload;
}

/**
 * Takes a ticket, which cannot be taken again. The caller is anonymous, at the tenant of the host name, if it names one. Throws the same
 * `not_found` for a ticket that is unknown, used or expired, belongs to another tenant, or whose creator has logged out, is disabled, or
 * has another password.
 * @param caller - `isHead`: the ticket is read, and stays
 */
export type TakeTicket = (
  caller: { readonly tenant: Tenant | undefined; readonly isHead: boolean; readonly address: string },
  id: string,
) => Promise<TakenTicket>;

/** Content of a ticket in the shared state. */
const ticketContent = z.strictObject({
  caller: z.strictObject({
    tenantName: z.string(),
    accountKind: z.enum(['user', 'client']),
    accountId: z.string(),
    sessionId: z.string().optional(),
    secretId: z.string().optional(),
  }),
  queryId: z.uuid(),
  download: z.strictObject({
    operation: z.string(),
    params: z.unknown().optional(),
    query: z.unknown().optional(),
    body: z.unknown().optional(),
  }),
});
type TicketContent = z.infer<typeof ticketContent>;

const TICKET_ID = /^[\w-]{43}$/;

const noSuchTicket = (): ProblemError =>
  new ProblemError(
    'not_found',
    'This ticket does not exist, was used, has expired, or its session has ended. Create another one with POST /tickets.',
  );

export function createCreateTicket(dependencies: TicketDependencies): CreateTicket {
  const { oneTimeValues, ticketSeal, audit, ticketLifetimeMs, ticketsPerUser } = dependencies;
  return async (caller, { method, path, download }) => {
    const { tenant, kind, id: accountId, sessionId, secretId } = caller.principal;
    const queryId = randomUUID();
    const reference = { tenantName: tenant.name, accountKind: kind, accountId, sessionId, secretId };
    const ticket = await ticketSeal.create({ caller: reference, queryId, download } satisfies TicketContent);
    const entry = { key: ticket.key, group: accountId, value: ticket.sealed };
    const isStored = await oneTimeValues.put(entry, { ttlMs: ticketLifetimeMs, groupMax: ticketsPerUser });
    if (!isStored) {
      const message = `You have ${ticketsPerUser} unused tickets, which is the limit. Use them, or wait until they expire.`;
      throw new ProblemError('too_many_requests', message, { retryAfterSeconds: secondsOf(ticketLifetimeMs) });
    }
    try {
      await audit.append(auditOf(caller, { action: 'CREATE_TICKET', target: queryId, metadata: { method, path } }));
    } catch (thrown) {
      await oneTimeValues.take(entry).catch(() => undefined); // it expires otherwise, and its id was not sent to anyone
      throw thrown;
    }
    return { url: `/tickets/${ticket.id}`, query_id: queryId, expires_in: secondsOf(ticketLifetimeMs) };
  };
}

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

export function createTakeTicket(dependencies: TicketDependencies): TakeTicket {
  const { oneTimeValues, ticketSeal, revalidateCaller } = dependencies;
  return async ({ tenant, isHead, address }, id) => {
    if (!TICKET_ID.test(id)) throw noSuchTicket();
    const key = ticketSeal.keyOf(id);
    const sealed = await oneTimeValues.read(key);
    if (sealed === undefined) throw noSuchTicket();
    const { data } = ticketContent.safeParse(await ticketSeal.open(id, sealed));
    // A ticket at another tenant's address is not used up.
    if (data === undefined || (tenant !== undefined && tenant.name !== data.caller.tenantName)) throw noSuchTicket();
    const { caller, queryId, download } = data;
    if (!isHead && (await oneTimeValues.take({ key, group: caller.accountId })) === undefined) throw noSuchTicket();
    const principal = await revalidateCaller(caller, address);
    if (principal === undefined) throw noSuchTicket();
    return { principal, queryId, download };
  };
}
