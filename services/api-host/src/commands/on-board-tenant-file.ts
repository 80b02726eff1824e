import { createSecretBox, openOidcClient } from '@sluice/auth';
import { readSettings, SettingsError } from '@sluice/config';
import { createDatabase } from '@sluice/store/database';
import { apiHostSettings } from '../config.ts';
import { createTenantsContext } from '../context/command-use-cases.ts';
import { masterKeysOf } from '../context/master-keys-of.ts';
import { onBoardTenant } from '../resources/administration/on-board-tenant.ts';
import { putEngineTenant } from './engine-tenants-file.ts';
import type { OperatorCommand } from './run-as-main.ts';
import { tenantCommandSettings } from './tenant-command-config.ts';
import { readTenantFile } from './tenant-file.ts';

/** Settings of `npm run tenant -- apply`: those of an API host. */
const onBoardingSettings = {
  ...tenantCommandSettings,
  masterKey: apiHostSettings.masterKey,
  masterKeyPrevious: apiHostSettings.masterKeyPrevious,
  ssoPrivateHosts: apiHostSettings.ssoPrivateHosts,
} as const;

interface OnBoardFileInput {
  readonly path: string;
  readonly engineTenantsPath: string | undefined;
  readonly isDryRun: boolean;
  /** Returns the address of the API host from the file, or from the issuer. */
  readonly baseUrlOf: (url: string | undefined, issuer: string) => string;
}

/** Creates or changes a tenant as a file says: the tenant, its first admin, its identity provider, and its engine. */
export async function onBoardTenantFile({ environment, say }: OperatorCommand, input: OnBoardFileInput): Promise<void> {
  const { settings } = readSettings(onBoardingSettings, environment);
  const { path, engineTenantsPath, isDryRun } = input;
  const file = await readTenantFile(path, environment);
  const { tenant: tenantName, engine } = file;
  if (engine !== undefined && engineTenantsPath === undefined)
    throw new SettingsError([
      `${path}: engine needs --engine-tenants, the file that the hosts read as ENGINE_TENANTS_FILE`,
    ]);
  const putEngine = (isTried: boolean) =>
    engine === undefined || engineTenantsPath === undefined
      ? 'unchanged'
      : putEngineTenant({ path: engineTenantsPath, tenantName, engine, isDryRun: isTried });
  // A file that the hosts would reject is found before anything is changed.
  await putEngine(true);
  await using database = createDatabase({ url: settings.databaseUrl.reveal(), applicationName: 'sluice-tenant' });
  await using oidc = await openOidcClient({ privateHosts: settings.ssoPrivateHosts ?? [] });
  const box = createSecretBox(masterKeysOf(settings));
  const context = { ...createTenantsContext(database, settings), oidc, box };
  const result = await onBoardTenant(context, {
    tenantName,
    adminEmail: file.admin,
    baseUrl: input.baseUrlOf(file.url, settings.issuerTemplate.replaceAll('{tenant}', tenantName)),
    emailDomains: file.emailDomains,
    identityProvider: file.identityProvider,
    isDryRun,
  });
  const engineStep = await putEngine(isDryRun);
  say(`${isDryRun ? 'Dry run, nothing is changed: ' : ''}${tenantName}`);
  say(`  tenant: ${result.tenant}`);
  say(`  admin ${file.admin}: ${result.admin}`);
  if (file.identityProvider !== undefined)
    say(`  identity provider ${file.identityProvider.issuer}: ${result.identityProvider}`);
  if (engine !== undefined)
    say(
      `  engine: ${engineStep}${engineStep === 'unchanged' || isDryRun ? '' : '. Roll out the hosts, which read it at start.'}`,
    );
  if (result.invitation === undefined) return;
  say(`The one-time invitation of ${file.admin}, valid until ${new Date(result.invitation.expires_ts).toISOString()}:`);
  say(result.invitation.url);
}
