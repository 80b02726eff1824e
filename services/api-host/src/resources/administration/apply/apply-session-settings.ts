import {
  type AppliedChange,
  type Caller,
  type Configuration,
  type SessionSettings,
  sessionSettingsProblems,
} from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { saveSessionSettings } from '../session-settings.ts';
import { appliedChange } from './applied-change.ts';
import type { ConfigurationViolations } from './configuration-violations.ts';

interface SessionSettingsStep {
  readonly tx: TenantTransaction;
  readonly caller: Caller;
  readonly violations: ConfigurationViolations;
  /** Largest lifetimes that the deployment allows. */
  readonly max: SessionSettings['max'];
}

/** Applies the lifetimes of sessions of a file. */
export async function applySessionSettings(
  { tx, caller, violations, max }: SessionSettingsStep,
  { sessions: settings }: Configuration,
): Promise<readonly AppliedChange[]> {
  if (settings === undefined) return [];
  const problems = sessionSettingsProblems(settings, max, 'sessions');
  for (const { path, message } of problems) violations.add(path, message);
  if (problems.length > 0) return [];
  const { name } = caller.principal.tenant;
  const { before, after, isSame } = await saveSessionSettings(tx, name, { settings, recordsSame: false });
  return [appliedChange({ kind: 'session_settings', name, action: isSame ? 'none' : 'update', before, after })];
}
