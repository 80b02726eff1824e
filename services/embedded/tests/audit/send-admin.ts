import { randomUUID } from 'node:crypto';
import type { Actor, AuditedRequest, ScenarioRunner } from './scenario-runner.ts';

export const accountState = (roles: readonly string[], disabled = false) => ({ roles, disabled });
export const nameOf = (what: string): string => `${what}-${randomUUID().slice(0, 8)}`;

/** Sends one request below /admin. */
export const sendAdmin = (
  { act }: ScenarioRunner,
  by: Actor,
  { path, ...request }: Omit<AuditedRequest, 'by' | 'host'>,
) => act({ by, path: `/admin${path}`, ...request });
