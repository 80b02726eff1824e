import type { AccessRequest, ListedAccessRequest } from '@sluice/contract';
import type { AccountKind } from '../identity/account-store.ts';

/** Row of `marketplace_requests`. */
export interface AccessRequestRow {
  readonly request_id: string;
  readonly item_id: string;
  readonly account_kind: AccountKind;
  readonly account_name: string;
  readonly reason: string;
  readonly state: AccessRequest['state'];
  readonly created: Date;
  readonly decided: Date | null;
  readonly decided_by: string | null;
  readonly expires: Date | null;
  readonly note: string | null;
}

export const accessRequestOf = (row: AccessRequestRow): AccessRequest => ({
  request_id: row.request_id,
  item_id: row.item_id,
  user: row.account_name,
  reason: row.reason,
  state: row.state,
  created_ts: row.created.getTime(),
  decided_ts: row.decided?.getTime() ?? null,
  decided_by: row.decided_by,
  expires_ts: row.expires?.getTime() ?? null,
  note: row.note,
});

/** Row of `marketplace_requests` with its item. */
export interface ListedRequestRow extends AccessRequestRow {
  readonly title: string;
  readonly owner_name: string;
}

export const listedRequestOf = (row: ListedRequestRow): ListedAccessRequest => ({
  ...accessRequestOf(row),
  item_title: row.title,
  item_owner: row.owner_name,
});
