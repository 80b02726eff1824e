import {
  apiOperations,
  callerOf,
  type MailLanguage,
  type NotificationSettings,
  type Principal,
  ProblemError,
  type StoredNotificationSettings,
} from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

interface NotificationsContext {
  readonly database: ResourceDatabase;
  /** Language of users who have not chosen one. */
  readonly mailLanguage: MailLanguage;
  /** False: this installation sends no mails. */
  readonly isMailConfigured: boolean;
}

function requireUser({ kind }: Principal): void {
  if (kind !== 'user') throw new ProblemError('conflict', 'Service accounts have no e-mail address and get no mails.');
}

/** Everything below /me/notifications: the settings of the caller alone. Reads are not recorded, like GET /me. */
export function ownNotificationRoutes({ database, mailLanguage, isMailConfigured }: NotificationsContext): Route[] {
  const find = async (tx: TenantTransaction, { id }: Principal): Promise<StoredNotificationSettings> =>
    (await tx.notificationSettings.find(id)) ?? {
      language: mailLanguage,
      access_requests: true,
      access_decisions: true,
      grant_endings: true,
      new_devices: true,
    };
  const present = (settings: StoredNotificationSettings, { name }: Principal): NotificationSettings => ({
    ...settings,
    email: name,
    is_mail_configured: isMailConfigured,
  });
  return [
    route(apiOperations.getNotificationSettings, async (request) => {
      const { principal } = request;
      requireUser(principal);
      const settings = await database.read(callerOf(request), (tx) => find(tx, principal));
      return json(200, present(settings, principal));
    }),
    route(apiOperations.putNotificationSettings, async (request) => {
      const { principal } = request;
      const after = { ...request.body, new_devices: request.body.new_devices ?? true };
      requireUser(principal);
      await database.change(callerOf(request), async (tx) => {
        const before = await find(tx, principal);
        await tx.notificationSettings.put(principal.id, after);
        await tx.record('UPDATE_NOTIFICATIONS', principal.name, { before, after });
      });
      return json(200, present(after, principal));
    }),
  ];
}
