import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * Transactional outbox of mails (docs/adr/0035-send-mails-from-an-outbox.md). A row names what the mail is about and who gets it; its text
 * is written when it is sent. Users have no foreign key: a request would lock the row of the approver, whom an admin may be removing.
 */
export const outgoingMailsStep: SchemaStep = {
  name: '0047-outgoing-mails',
  sql: `
  create table outgoing_mails (
    tenant_id uuid not null,
    mail_id uuid not null,
    user_id uuid not null,
    kind text not null check (kind in ('ACCESS_REQUEST', 'ACCESS_DECISION', 'GRANT_ENDING')),
    item_id text collate "C" not null,
    request_id uuid,
    grant_expires timestamptz,
    state text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'GIVEN_UP', 'DROPPED')),
    attempts integer not null default 0,
    next_attempt timestamptz not null default now(),
    created timestamptz not null default now(),
    ended timestamptz,
    primary key (tenant_id, mail_id),
    foreign key (tenant_id, item_id) references marketplace_items (tenant_id, item_id) on delete cascade
  );
  create index outgoing_mails_due on outgoing_mails (next_attempt) where state = 'WAITING';
  create index outgoing_mails_ended on outgoing_mails (ended) where state <> 'WAITING';
  create index outgoing_mails_by_item on outgoing_mails (tenant_id, item_id);
  -- The end of a grant is announced once. A changed end is another one.
  create unique index outgoing_mails_announced on outgoing_mails (tenant_id, user_id, item_id, grant_expires)
    where grant_expires is not null;
  ${tenantRowsOnly('outgoing_mails')}
`,
};
