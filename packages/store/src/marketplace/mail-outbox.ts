import type { MailLanguage } from '@sluice/contract';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { ANNOUNCE_ENDING_GRANTS, CLAIM_DEVICE_MAIL, CLAIM_MAIL } from './mail-statements.ts';

export type MailKind = 'ACCESS_REQUEST' | 'ACCESS_DECISION' | 'GRANT_ENDING' | 'NEW_DEVICE';

interface MailReference {
  readonly tenantId: string;
  readonly mailId: string;
  readonly kind: MailKind;
}

/** Mail that this host is sending, with the present state of what it is about. */
export interface ClaimedMail extends MailReference {
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

const isDueIn = (outbox: string): string =>
  `exists (select 1 from ${outbox} where state = 'WAITING' and next_attempt <= clock_timestamp())`;

const HAS_DUE = prepared('has_due_mail', `select ${isDueIn('outgoing_mails')} or ${isDueIn('device_mails')} as found`);
const CLAIM = prepared('claim_mail', CLAIM_MAIL);
const CLAIM_OF_DEVICE = prepared('claim_device_mail', CLAIM_DEVICE_MAIL);
const ANNOUNCE = prepared('announce_ending_grants', ANNOUNCE_ENDING_GRANTS);

/** Statements on one table of mails. */
const statementsOf = (outbox: string) => ({
  end: prepared(
    `end_mail_of_${outbox}`,
    `update ${outbox} set state = $3, ended = clock_timestamp() where tenant_id = $1 and mail_id = $2 and state = 'WAITING'`,
  ),
  postpone: prepared(
    `postpone_mail_of_${outbox}`,
    `update ${outbox} set next_attempt = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
     where tenant_id = $1 and mail_id = $2 and state = 'WAITING'`,
  ),
});
const OF_ITEMS = statementsOf('outgoing_mails');
const OF_DEVICES = statementsOf('device_mails');
const statementsFor = ({ kind }: MailReference) => (kind === 'NEW_DEVICE' ? OF_DEVICES : OF_ITEMS);

interface MailRow {
  readonly tenant_id: string;
  readonly mail_id: string;
  readonly kind: MailKind;
  readonly attempts: number;
  readonly created: Date;
  readonly tenant_name: string;
  readonly email: string | null;
  readonly language: MailLanguage | null;
  /** Members of a mail about an item. */
  readonly item_id?: string;
  readonly item_title?: string;
  readonly requester?: string | null;
  readonly decided_by?: string | null;
  readonly is_approved?: boolean;
  readonly expires?: Date | null;
  /** Members of a mail about a device. */
  readonly device?: string;
  readonly address?: string | null;
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
  itemId: row.item_id ?? '',
  itemTitle: row.item_title ?? '',
  requester: row.requester ?? null,
  decidedBy: row.decided_by ?? null,
  isApproved: row.is_approved === true,
  expiresMs: row.expires?.getTime() ?? null,
  device: row.device ?? null,
  address: row.address ?? null,
});

export function createMailOutbox(database: Database): MailOutbox {
  const deleteWhere = async (where: string): Promise<void> => {
    for (const table of ['outgoing_mails', 'device_mails'])
      await changeInBatches(database, { change: `delete from ${table}`, table, where });
  };
  return {
    async hasDue() {
      const [row] = await database.run<{ found: boolean }>('every-tenant', HAS_DUE, []);
      return row?.found === true;
    },
    async claim(leaseMs) {
      // A warning is not left behind many mails about items.
      for (const statement of [CLAIM_OF_DEVICE, CLAIM]) {
        const [row] = await database.run<MailRow>('every-tenant', statement, [leaseMs]);
        if (row !== undefined) return mailOf(row);
      }
      return undefined;
    },
    async end(mail, end) {
      const { tenantId, mailId } = mail;
      await database.run({ tenantId }, statementsFor(mail).end, [tenantId, mailId, end]);
    },
    async postpone(mail, delayMs) {
      const { tenantId, mailId } = mail;
      await database.run({ tenantId }, statementsFor(mail).postpone, [tenantId, mailId, delayMs]);
    },
    async announceEndingGrants() {
      await database.run('every-tenant', ANNOUNCE, []);
    },
    deleteEnded: () => deleteWhere(`state <> 'WAITING' and ended < now() - interval '30 days'`),
    deleteUnsent: () => deleteWhere(`state = 'WAITING' and created < now() - interval '3 days'`),
  };
}
