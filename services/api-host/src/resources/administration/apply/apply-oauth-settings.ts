import type { AppliedChange, Caller, Configuration } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { saveOAuthSettings } from '../oauth-settings.ts';
import { appliedChange } from './applied-change.ts';

/** Applies the settings of the logins of programs of a file. */
export async function applyOAuthSettings(
  tx: TenantTransaction,
  { principal }: Caller,
  { oauth: settings }: Configuration,
): Promise<readonly AppliedChange[]> {
  if (settings === undefined) return [];
  const { name } = principal.tenant;
  const { before, after, isSame } = await saveOAuthSettings(tx, name, { settings, recordsSame: false });
  return [appliedChange({ kind: 'oauth_settings', name, action: isSame ? 'none' : 'update', before, after })];
}
