import type { Command } from './command.ts';

/**
 * Every command, in the order of help and docs/cli.md, with its name. Only the files of what was typed are loaded, so that more commands
 * do not make the start slower.
 */
const COMMANDS: readonly (readonly [name: string, load: () => Promise<Command>])[] = [
  ['login', async () => (await import('./commands/auth/login.ts')).login],
  ['logout', async () => (await import('./commands/auth/session.ts')).logout],
  ['whoami', async () => (await import('./commands/auth/session.ts')).whoami],
  ['profile list', async () => (await import('./commands/profile/profile.ts')).profileList],
  ['profile use', async () => (await import('./commands/profile/profile.ts')).profileUse],
  ['profile remove', async () => (await import('./commands/profile/profile.ts')).profileRemove],
  ['query', async () => (await import('./commands/query/query.ts')).query],
  ['download', async () => (await import('./commands/download/download.ts')).download],
  ['result list', async () => (await import('./commands/result/list.ts')).resultList],
  ['result show', async () => (await import('./commands/result/show.ts')).resultShow],
  ['result rows', async () => (await import('./commands/result/rows.ts')).resultRows],
  ['result follow', async () => (await import('./commands/result/rows.ts')).resultFollow],
  ['result download', async () => (await import('./commands/result/download.ts')).resultDownload],
  ['result verify', async () => (await import('./commands/result/verify.ts')).resultVerify],
  ['result share', async () => (await import('./commands/result/share.ts')).resultShare],
  ['result delete', async () => (await import('./commands/result/share.ts')).resultDelete],
  ['verify', async () => (await import('./commands/download/verify.ts')).verify],
  ['market list', async () => (await import('./commands/market/market.ts')).marketList],
  ['market show', async () => (await import('./commands/market/market.ts')).marketShow],
  ['market request', async () => (await import('./commands/market/market.ts')).marketRequest],
  ['market edit', async () => (await import('./commands/market/edit.ts')).marketEdit],
  ['market download', async () => (await import('./commands/market/market.ts')).marketDownload],
  ['sql', async () => (await import('./commands/sql/sql.ts')).sql],
  ['search', async () => (await import('./commands/search/search.ts')).search],
  ['catalog list', async () => (await import('./commands/catalog/catalog.ts')).catalogList],
  ['catalog show', async () => (await import('./commands/catalog/catalog.ts')).catalogShow],
  ['datamap list', async () => (await import('./commands/datamap/datamap.ts')).datamapList],
  ['datamap search', async () => (await import('./commands/datamap/datamap.ts')).datamapSearch],
  ['datamap show', async () => (await import('./commands/datamap/datamap.ts')).datamapShow],
  ['history', async () => (await import('./commands/history/history.ts')).history],
  ['history show', async () => (await import('./commands/history/history-show.ts')).historyShow],
  ['import', async () => (await import('./commands/metadata/import.ts')).importMetadata],
  ['export', async () => (await import('./commands/metadata/export.ts')).exportMetadata],
  ['audit search', async () => (await import('./commands/audit/search.ts')).auditSearch],
  ['audit summary', async () => (await import('./commands/audit/summary.ts')).auditSummary],
  ['audit export', async () => (await import('./commands/audit/export.ts')).auditExport],
  ['audit evidence', async () => (await import('./commands/audit/evidence.ts')).auditEvidence],
  ['audit tail', async () => (await import('./commands/audit/tail.ts')).auditTail],
  ['audit settings', async () => (await import('./commands/audit/settings.ts')).auditSettings],
  ['audit verify', async () => (await import('./commands/audit/verify.ts')).auditVerify],
  ['api', async () => (await import('./commands/api/api.ts')).api],
  ['completion', async () => (await import('./commands/completion/completion.ts')).completion],
  ['apply', async () => (await import('./commands/administration/apply.ts')).apply],
  ['tenant list', async () => (await import('./commands/tenant/tenant.ts')).tenantList],
  ['tenant show', async () => (await import('./commands/tenant/tenant.ts')).tenantShow],
  ['tenant create', async () => (await import('./commands/tenant/tenant.ts')).tenantCreate],
  ['tenant invite', async () => (await import('./commands/tenant/tenant.ts')).tenantInvite],
  ['tenant suspend', async () => (await import('./commands/tenant/tenant.ts')).tenantSuspend],
  ['tenant resume', async () => (await import('./commands/tenant/tenant.ts')).tenantResume],
  ['tenant remove', async () => (await import('./commands/tenant/tenant.ts')).tenantRemove],
  ['doctor', async () => (await import('./commands/doctor/doctor.ts')).doctor],
  ['help', async () => (await import('./commands/help/help.ts')).help],
];

/** Names of all commands. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.map(([name]) => name);

/** Turns `help query` into `query --help`, and `help` alone into `--help`. The topics of `help` are not names of commands. */
export function expandHelp(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first !== 'help') return words;
  const isKnown = COMMANDS.some(([name]) => name.split(' ', 1)[0] === rest[0]);
  return rest.length === 0 || isKnown ? [...rest, '--help'] : words;
}

/**
 * Loads the commands whose names begin with the first word after `sluice`, such as all of `audit`. Any other word loads every command,
 * for help and for suggestions.
 */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const named = COMMANDS.filter(([name]) => name.split(' ', 1)[0] === word);
  return await Promise.all((named.length === 0 ? COMMANDS : named).map(([, load]) => load()));
}
