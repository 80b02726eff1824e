import { z } from 'zod';
import { integerField } from '../fields/integer-field.ts';
import type { SessionLimits, TenantSettings } from '../identity/principal.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemDetail } from '../problems/problem-error.ts';

/** Shorter than this, a session would end between two reads of a page. */
const IDLE_MINUTES_MIN = 5;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const lifetime = (name: string, min: number) => integerField(name, { min }).nullable().optional();

const fields = {
  idle_minutes: lifetime('idle_minutes', IDLE_MINUTES_MIN).describe(
    'A session without a request for this long ends, unless a query of it runs. Null or absent: no such limit',
  ),
  absolute_hours: lifetime('absolute_hours', 1).describe(
    'A session ends this long after its login. Null or absent: only the limit of the deployment',
  ),
};

/** Lifetimes that a tenant chooses, as a request and a section of a configuration file have them. */
export const sessionSettingsBody = z.strictObject(fields).meta({ id: 'SessionSettingsRequest' });
export type SessionSettingsRequest = z.infer<typeof sessionSettingsBody>;

const sessionSettings = z
  .object({
    idle_minutes: z.int().nullable().describe('Null: no such limit'),
    absolute_hours: z.int().nullable().describe('Null: only the limit of the deployment'),
    max: z
      .object({ idle_minutes: z.int(), absolute_hours: z.int() })
      .describe('Largest values that the deployment allows: its SESSION_LIFETIME'),
  })
  .meta({ id: 'SessionSettings' });
export type SessionSettings = z.infer<typeof sessionSettings>;

/** Lifetimes of a tenant without the limits of the deployment, as audit records have them. */
export type OwnSessionSettings = Omit<SessionSettings, 'max'>;

/** Converts the lifetimes of a tenant to the form of responses and records. */
export const presentSessionSettings = ({ sessionLimits }: TenantSettings): OwnSessionSettings => ({
  idle_minutes: sessionLimits?.idleMinutes ?? null,
  absolute_hours: sessionLimits?.absoluteHours ?? null,
});

/** Converts a request to the lifetimes of a tenant. */
export const sessionLimitsOf = ({ idle_minutes, absolute_hours }: SessionSettingsRequest): SessionLimits => ({
  ...(idle_minutes == null ? {} : { idleMinutes: idle_minutes }),
  ...(absolute_hours == null ? {} : { absoluteHours: absolute_hours }),
});

/**
 * Returns the largest lifetimes that a deployment allows.
 * @param sessionLifetimeMs - SESSION_LIFETIME
 */
export const largestSessionSettings = (sessionLifetimeMs: number): SessionSettings['max'] => ({
  idle_minutes: Math.floor(sessionLifetimeMs / MINUTE_MS),
  absolute_hours: Math.floor(sessionLifetimeMs / HOUR_MS),
});

/**
 * Returns a detail for each lifetime above that of the deployment.
 * @param path - of the object that has the lifetimes
 */
export function sessionSettingsProblems(
  settings: SessionSettingsRequest,
  max: SessionSettings['max'],
  path: string,
): ProblemDetail[] {
  return (['idle_minutes', 'absolute_hours'] as const)
    .filter((name) => (settings[name] ?? 0) > max[name])
    .map((name) => ({
      path: `${path}.${name}`,
      message: `must be at most ${max[name]}, the SESSION_LIFETIME of the deployment`,
    }));
}

/** Lifetimes of sessions in the caller's tenant. */
export const sessionSettingsOperations = defineOperations('administration', FOR_ADMINS, {
  getSessionSettings: {
    endpoint: 'GET /admin/session-settings',
    summary: 'Get how long sessions of users last without a request, and after their login',
    responses: { 200: jsonResponse('Settings', sessionSettings) },
    problems: ['audit_unavailable'],
  },
  putSessionSettings: {
    endpoint: 'PUT /admin/session-settings',
    summary: 'Set how long sessions of users last. Open sessions end by the new settings too',
    body: jsonBody(sessionSettingsBody),
    responses: { 200: jsonResponse('The new settings', sessionSettings) },
    problems: ['precondition_failed', 'audit_unavailable'],
  },
});
