import type { AuditRecord } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { Transaction } from '../database/transaction.ts';
import { isKnownDevice, PROGRAM_KNOWN_DAYS } from './device-store.ts';

/** Browser or program of a login. */
export interface LoginDevice {
  /** SHA-256 of the device cookie that the browser sent. */
  readonly cookieHash?: Uint8Array | undefined;
  /** Name of the program. Undefined for a browser, which its cookie identifies. */
  readonly program?: string | undefined;
  /** Browser or program and its system, for people. Empty: unknown. */
  readonly name: string;
}

interface DeviceUse {
  readonly tenantId: string;
  readonly userId: string;
  readonly device: LoginDevice;
  /** Record of the login. */
  readonly audit: AuditRecord;
}

/** Anyone can send any name, so a user's oldest ones are removed first. */
const PROGRAMS_MAX = 50;

/**
 * Parameters: tenant, user, hash of the cookie in hex or an empty text, program or null. `is_first`: the user has never logged in, as far as
 * is known. Time is written once an hour, so that a program that logs in often writes little.
 */
const NOTE = `
  with kept as (
    insert into login_programs as p (tenant_id, user_id, program) select $1, $2, $4 where $4::text is not null
    on conflict (tenant_id, user_id, program) do update set last_login = clock_timestamp()
      where p.last_login < clock_timestamp() - interval '1 hour'
  ), removed as (
    delete from login_programs where tenant_id = $1 and user_id = $2 and program is distinct from $4
      and program in (select program from login_programs where tenant_id = $1 and user_id = $2
        order by last_login desc offset ${PROGRAMS_MAX - 1})
  )
  select
    ${isKnownDevice('$1', '$2', '$3')} or exists (
      select 1 from login_programs where tenant_id = $1 and user_id = $2 and program = $4
        and last_login > now() - interval '${PROGRAM_KNOWN_DAYS} days') as is_known,
    not (exists (select 1 from users where tenant_id = $1 and id = $2 and last_login is not null)
      or exists (select 1 from login_devices where tenant_id = $1 and user_id = $2)
      or exists (select 1 from login_programs where tenant_id = $1 and user_id = $2)) as is_first`;

/** Mails that one user may get in an hour: someone who has the password could otherwise send any number. */
const MAILS_PER_HOUR = 5;

const ADD_MAIL = `
  insert into device_mails (tenant_id, mail_id, user_id, device, address)
  select $1, gen_random_uuid(), $2, $3, $4
  where ${MAILS_PER_HOUR} > (
    select count(*) from device_mails
    where tenant_id = $1 and user_id = $2 and created > now() - interval '1 hour')`;

/**
 * Records a login from a browser or program that the user has not used before, and adds a mail about it. Neither for the first login of a
 * user. A browser becomes known when it gets its cookie.
 */
export async function noteDevice(
  transaction: Transaction,
  { tenantId, userId, device, audit }: DeviceUse,
): Promise<void> {
  const { cookieHash, program, name } = device;
  const hash = cookieHash === undefined ? '' : Buffer.from(cookieHash).toString('hex');
  const [found] = await transaction.query<{ is_known: boolean; is_first: boolean }>(NOTE, [
    tenantId,
    userId,
    hash,
    program ?? null,
  ]);
  if (found === undefined || found.is_known || found.is_first) return;
  await appendAudit(transaction, { ...audit, action: 'NEW_DEVICE', metadata: { device: name } });
  await transaction.query(ADD_MAIL, [tenantId, userId, name, audit.address ?? null]);
}
