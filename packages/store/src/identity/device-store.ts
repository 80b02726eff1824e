import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

/** Device from which a user has logged in. Only the login throttle uses it; it does not authenticate. */
interface DeviceLogin {
  readonly tenantId: string;
  readonly userId: string;
  /** SHA-256 of the cookie that the device sent. */
  readonly sentHash: Uint8Array | undefined;
  /** SHA-256 of the cookie that the device gets if it did not send one of this user. */
  readonly newHash: Uint8Array;
  readonly lifetimeMs: number;
}

export interface DeviceStore {
  /** Returns which of the two hashes belongs to the device from now on. */
  remember(login: DeviceLogin): Promise<'sent' | 'new'>;
  /** Removes devices and programs that were not used for 90 days. */
  deleteExpired(): Promise<void>;
}

/** Programs are known for as long as browsers: `DEVICE_LIFETIME_MS` of @sluice/auth. */
export const PROGRAM_KNOWN_DAYS = 90;

/** Programs that log in without keeping cookies add a device each time; a user's oldest devices are removed first. */
const DEVICES_MAX = 50;

const REMEMBER = prepared(
  'remember_device',
  `
  with kept as (
    update login_devices set last_login = clock_timestamp(),
      expires = clock_timestamp() + make_interval(secs => $5::float8 / 1000)
    where tenant_id = $1 and user_id = $2 and token_hash = $3
    returning 1
  ), made as (
    insert into login_devices (tenant_id, user_id, token_hash, expires)
    select $1, $2, $4, clock_timestamp() + make_interval(secs => $5::float8 / 1000) where not exists (select from kept)
  ), removed as (
    delete from login_devices where tenant_id = $1 and user_id = $2 and token_hash is distinct from $3
      and token_hash in (select token_hash from login_devices where tenant_id = $1 and user_id = $2
        order by last_login desc offset ${DEVICES_MAX - 1})
  )
  select exists (select from kept) as kept`,
);

/** SQL that tells whether the device, by the hash of its cookie in hex, belongs to the user. */
export const isKnownDevice = (tenantId: string, userId: string, hash: string): string => `
  exists (select 1 from login_devices d where d.tenant_id = ${tenantId} and d.user_id = ${userId}
    and d.token_hash = decode(${hash}, 'hex') and d.expires > now())`;

export const createDeviceStore = (database: Database): DeviceStore => ({
  async remember({ tenantId, userId, sentHash, newHash, lifetimeMs }) {
    const values = [tenantId, userId, sentHash ?? null, newHash, lifetimeMs];
    const [row] = await database.run<{ kept: boolean }>({ tenantId }, REMEMBER, values);
    return row?.kept === true ? 'sent' : 'new';
  },
  async deleteExpired() {
    await changeInBatches(database, {
      change: 'delete from login_devices',
      table: 'login_devices',
      where: 'expires < now()',
    });
    await changeInBatches(database, {
      change: 'delete from login_programs',
      table: 'login_programs',
      where: `last_login < now() - interval '${PROGRAM_KNOWN_DAYS} days'`,
    });
  },
});
