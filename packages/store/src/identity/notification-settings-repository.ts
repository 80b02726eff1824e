import type { StoredNotificationSettings } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';

/** Mails that the users of one tenant want, within one transaction. */
export interface NotificationSettingsRepository {
  /** Returns undefined for a user who has set nothing. */
  find(userId: string): Promise<StoredNotificationSettings | undefined>;
  /** Replaces the settings of a user. Has no effect on a user that was removed. */
  put(userId: string, settings: StoredNotificationSettings): Promise<void>;
}

const FIND = `
  select language, access_requests, access_decisions, grant_endings, new_devices from notification_settings
  where tenant_id = $1 and user_id = $2`;
const PUT = `
  insert into notification_settings (tenant_id, user_id, language, access_requests, access_decisions, grant_endings, new_devices)
  select u.tenant_id, u.id, $3, $4, $5, $6, $7 from users u where u.tenant_id = $1 and u.id = $2
  on conflict (tenant_id, user_id) do update set language = excluded.language, access_requests = excluded.access_requests,
    access_decisions = excluded.access_decisions, grant_endings = excluded.grant_endings, new_devices = excluded.new_devices,
    updated = now()`;

export const createNotificationSettingsRepository = (
  transaction: Transaction,
  tenantId: string,
): NotificationSettingsRepository => ({
  async find(userId) {
    const [row] = await transaction.query<StoredNotificationSettings>(FIND, [tenantId, userId]);
    return row;
  },
  async put(userId, { language, access_requests, access_decisions, grant_endings, new_devices }) {
    const kinds = [access_requests, access_decisions, grant_endings, new_devices];
    await transaction.query(PUT, [tenantId, userId, language, ...kinds]);
  },
});
