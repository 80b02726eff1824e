import type { Transaction } from '../database/transaction.ts';

/** Mails of one tenant that wait to be sent, within the transaction of what they are about. */
export interface MailRepository {
  /** Adds a mail about a new request to each user who is to decide it, except its requester. */
  addForRequest(request: {
    readonly itemId: string;
    readonly requestId: string;
    readonly requesterId: string;
  }): Promise<void>;
  /** Adds a mail about a decision for the requester, unless the requester is a service account or made the decision. */
  addForDecision(requestId: string): Promise<void>;
}

/** Bounds the rows that one request adds when admins decide it. */
const ADMINS_MAX = 50;

/** The owner decides. Admins do for an owner who cannot get mail: a service account, or a user who is disabled or removed. */
const ADD_FOR_REQUEST = `
  with owner as (
    select u.id from marketplace_items i join users u on u.tenant_id = i.tenant_id and u.id = i.owner_id
    where i.tenant_id = $1 and i.item_id = $2 and i.owner_kind = 'user' and not u.disabled
  ), approvers as (
    select id from owner
    union all (
      select u.id from users u
      where u.tenant_id = $1 and not u.disabled and not exists (select 1 from owner)
        and u.roles && array(select r.name from roles r where r.tenant_id = $1 and 'admin' = any (r.permissions))
      order by u.email limit ${ADMINS_MAX}
    )
  )
  insert into outgoing_mails (tenant_id, mail_id, user_id, kind, item_id, request_id)
  select $1, gen_random_uuid(), id, 'ACCESS_REQUEST', $2, $3::uuid from approvers where id <> $4`;

const ADD_FOR_DECISION = `
  insert into outgoing_mails (tenant_id, mail_id, user_id, kind, item_id, request_id)
  select r.tenant_id, gen_random_uuid(), r.account_id, 'ACCESS_DECISION', r.item_id, r.request_id
  from marketplace_requests r
  where r.tenant_id = $1 and r.request_id = $2 and r.account_kind = 'user' and r.account_name <> r.decided_by`;

export const createMailRepository = (transaction: Transaction, tenantId: string): MailRepository => ({
  async addForRequest({ itemId, requestId, requesterId }) {
    await transaction.query(ADD_FOR_REQUEST, [tenantId, itemId, requestId, requesterId]);
  },
  async addForDecision(requestId) {
    await transaction.query(ADD_FOR_DECISION, [tenantId, requestId]);
  },
});
