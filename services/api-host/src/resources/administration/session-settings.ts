import {
  apiOperations,
  callerOf,
  largestSessionSettings,
  type OwnSessionSettings,
  ProblemError,
  presentSessionSettings,
  requireValid,
  type SessionSettings,
  type SessionSettingsRequest,
  sessionLimitsOf,
  sessionSettingsProblems,
} from '@sluice/contract';
import { contentTag, isMatched, json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

interface SessionSettingsInput {
  readonly settings: SessionSettingsRequest;
  /** Returns whether the settings are still those that the caller has read. Default: always. */
  readonly isCurrent?: (present: OwnSessionSettings) => boolean;
  /** Whether settings that stay the same are recorded. */
  readonly recordsSame: boolean;
}

interface SessionSettingsChange {
  readonly before: OwnSessionSettings;
  readonly after: OwnSessionSettings;
  readonly isSame: boolean;
}

/** Replaces the lifetimes of sessions in a tenant. Throws `precondition_failed` if they were changed meanwhile. */
export async function saveSessionSettings(
  tx: TenantTransaction,
  tenantName: string,
  { settings, isCurrent = () => true, recordsSame }: SessionSettingsInput,
): Promise<SessionSettingsChange> {
  const before = presentSessionSettings(await tx.tenant.lockSettings());
  if (!isCurrent(before)) {
    throw new ProblemError('precondition_failed', 'The session settings were changed meanwhile. Read them again.');
  }
  const sessionLimits = sessionLimitsOf(settings);
  const wanted = presentSessionSettings({ sessionLimits });
  const isSame = wanted.idle_minutes === before.idle_minutes && wanted.absolute_hours === before.absolute_hours;
  if (isSame && !recordsSame) return { before, after: before, isSame };
  const after = presentSessionSettings(await tx.tenant.setSessionLimits(sessionLimits));
  await tx.record('UPDATE_SESSION_SETTINGS', tenantName, { before, after });
  return { before, after, isSame };
}

interface SessionSettingsContext {
  readonly database: ResourceDatabase;
  /** SESSION_LIFETIME, which no tenant may exceed. */
  readonly sessionLifetimeMs: number;
}

/** Everything below /admin/session-settings */
export function sessionSettingsRoutes({ database, sessionLifetimeMs }: SessionSettingsContext): Route[] {
  const max = largestSessionSettings(sessionLifetimeMs);
  const present = (own: OwnSessionSettings): SessionSettings => ({ ...own, max });
  return [
    route(apiOperations.getSessionSettings, async (request) => {
      const settings = await database.read(callerOf(request), async (tx) => {
        await tx.record('READ_SESSION_SETTINGS', request.tenant.name);
        return present(presentSessionSettings(await tx.tenant.settings()));
      });
      return json(200, settings, { etag: contentTag(settings) });
    }),
    route(apiOperations.putSessionSettings, async (request) => {
      requireValid(sessionSettingsProblems(request.body, max, 'body'));
      const input: SessionSettingsInput = {
        settings: request.body,
        isCurrent: (own) => isMatched(request.headers, contentTag(present(own))),
        recordsSame: true,
      };
      const save = (tx: TenantTransaction) => saveSessionSettings(tx, request.tenant.name, input);
      const settings = present((await database.change(callerOf(request), save)).after);
      return json(200, settings, { etag: contentTag(settings) });
    }),
  ];
}
