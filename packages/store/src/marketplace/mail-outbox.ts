import type { MailLanguage } from '@sluice/contract';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { ANNOUNCE_ENDING_GRANTS, CLAIM_MAIL } from './mail-statements.ts';

export type MailKind = 'ACCESS_REQUEST' | 'ACCESS_DECISION' | 'GRANT_ENDING' | 'NEW_DEVICE';

interface MailReference {
  readonly tenantId: string;
  readonly mailId: string;
}

/** Mail that this host is sending, with the present state of what it is about. */
export interface ClaimedMail extends MailReference {
  readonly kind: MailKind;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  readonly createdMs: number;
  readonly tenantName: string;
  /** E-mail of the user. Null when there must be no mail: see `CLAIM_MAIL`. */
  readonly email: string | null;
  /** Null: the user has not chosen one. */
  readonly language: MailLanguage | null;
  /** Empty for a mail that is not about an item. */
  readonly itemId: string;
  readonly itemTitle: string;
  /** User who requested access. Null for a grant that ends. */
  readonly requester: string | null;
  readonly decidedBy: string | null;
  readonly isApproved: boolean;
  /** End of the grant; null if it has none. */
  readonly expiresMs: number | null;
  /** Browser or program of a login; null for another mail. */
  readonly device: string | null;
  /** Address of that login. */
  readonly address: string | null;
}

/** Why a mail waits no longer: it was sent, it failed too often, or it is not wanted any more. */
type MailEnd = 'SENT' | 'GIVEN_UP' | 'DROPPED';

/** Outbox of the mails of all tenants. */
export interface MailOutbox {
  hasDue(): Promise<boolean>;
  /** Takes the mail that is due for the longest time. If it is neither ended nor postponed within `leaseMs`, it is due again. */
  claim(leaseMs: number): Promise<ClaimedMail | undefined>;
  end(mail: MailReference, end: MailEnd): Promise<void>;
  postpone(mail: MailReference, delayMs: number): Promise<void>;
  /** Adds a mail for each user whose grant ends within seven days, once for each end. */
  announceEndingGrants(): Promise<void>;
  /** Removes mails that ended 30 days ago. */
  deleteEnded(): Promise<void>;
  /** Removes mails that have waited for three days, for an installation that sends none. */
  deleteUnsent(): Promise<void>;
}

const HAS_DUE = prepared(
  'has_due_mail',
  `select exists (
     select 1 from outgoing_mails where state = 'WAITING' and next_attempt <= clock_timestamp()) as found`,
);
const CLAIM = prepared('claim_mail', CLAIM_MAIL);
const ANNOUNCE = prepared('announce_ending_grants', ANNOUNCE_ENDING_GRANTS);
const END = prepared(
  'end_mail',
  `update outgoing_mails set state = $3, ended = clock_timestamp() where tenant_id = $1 and mail_id = $2 and state = 'WAITING'`,
);
const POSTPONE = prepared(
  'postpone_mail',
  `update outgoing_mails set next_attempt = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
   where tenant_id = $1 and mail_id = $2 and state = 'WAITING'`,
);

interface MailRow {
  readonly tenant_id: string;
  readonly mail_id: string;
  readonly kind: MailKind;
  readonly attempts: number;
  readonly created: Date;
  readonly tenant_name: string;
  readonly email: string | null;
  readonly language: MailLanguage | null;
  readonly item_id: string;
  readonly item_title: string;
  readonly requester: string | null;
  readonly decided_by: string | null;
  readonly is_approved: boolean;
  readonly expires: Date | null;
  readonly device: string | null;
  readonly address: string | null;
}

const mailOf = (row: MailRow): ClaimedMail => ({
  tenantId: row.tenant_id,
  mailId: row.mail_id,
  kind: row.kind,
  attempt: row.attempts,
  createdMs: row.created.getTime(),
  tenantName: row.tenant_name,
  email: row.email,
  language: row.language,
  itemId: row.item_id,
  itemTitle: row.item_title,
  requester: row.requester,
  decidedBy: row.decided_by,
  isApproved: row.is_approved,
  expiresMs: row.expires?.getTime() ?? null,
  device: row.device,
  address: row.address,
});

export function createMailOutbox(database: Database): MailOutbox {
  const deleteWhere = (where: string): Promise<void> =>
    changeInBatches(database, { change: 'delete from outgoing_mails', table: 'outgoing_mails', where });
  return {
    async hasDue() {
      const [row] = await database.run<{ found: boolean }>('every-tenant', HAS_DUE, []);
      return row?.found === true;
    },
    async claim(leaseMs) {
      const [row] = await database.run<MailRow>('every-tenant', CLAIM, [leaseMs]);
      return row && mailOf(row);
    },
    async end({ tenantId, mailId }, end) {
      await database.run({ tenantId }, END, [tenantId, mailId, end]);
    },
    async postpone({ tenantId, mailId }, delayMs) {
      await database.run({ tenantId }, POSTPONE, [tenantId, mailId, delayMs]);
    },
    async announceEndingGrants() {
      await database.run('every-tenant', ANNOUNCE, []);
    },
    deleteEnded: () => deleteWhere(`state <> 'WAITING' and ended < now() - interval '30 days'`),
    deleteUnsent: () => deleteWhere(`state = 'WAITING' and created < now() - interval '3 days'`),
  };
}
