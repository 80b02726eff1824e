import { parseArgs } from 'node:util';
import { readSettings, SettingsError } from '@sluice/config';
import { emailDomains, emailText, ProblemError, type TenantRecord } from '@sluice/contract';
import { createOperatorStore } from '@sluice/store/administration';
import { createDatabase, type Database } from '@sluice/store/database';
import { createTenantUseCases, type TenantUseCases } from '../context/tenant-use-cases.ts';
import { offBoardTenants, runTenantExport } from './off-board-tenants.ts';
import { onBoardTenantFile } from './on-board-tenant-file.ts';
import { type TenantCommand, type TenantCommandSettings, tenantCommandSettings } from './tenant-command-config.ts';

const USAGE = `Use: create NAME [--admin E-MAIL] [--email-domain DOMAIN]... [--url ADDRESS] | invite NAME [--admin E-MAIL] [--url ADDRESS] | list
| email-domains NAME (--email-domain DOMAIN... | --any) | suspend NAME | resume NAME
| apply FILE [--engine-tenants FILE] [--dry-run] | export NAME --to FOLDER | remove (NAME | --requested) (--export FOLDER | --without-export)`;

const usage = (): ProblemError => new ProblemError('invalid_request', USAGE);

const removalWithoutExport = (): ProblemError =>
  new ProblemError(
    'invalid_request',
    'Name the folder of an export in --export, as `export NAME --to FOLDER` writes it, or give --without-export to remove the data for good.',
  );

interface Options {
  readonly admin?: string | undefined;
  readonly url?: string | undefined;
  readonly 'email-domain'?: string[] | undefined;
  readonly any?: boolean | undefined;
  readonly requested?: boolean | undefined;
}

const openDatabase = ({ databaseUrl }: TenantCommandSettings): Database =>
  createDatabase({ url: databaseUrl.reveal(), applicationName: 'sluice-tenant' });

const useCasesOf = (database: Database, { invitationLifetimeMs }: TenantCommandSettings): TenantUseCases =>
  createTenantUseCases({ operator: createOperatorStore(database), invitationLifetimeMs, now: Date.now });

const stateOf = ({ state, removal_requested_ts: since, email_domains: domains }: TenantRecord): string =>
  [
    state,
    ...(since === null ? [] : [`to be removed, requested at ${new Date(since).toISOString()}`]),
    ...(domains === null ? [] : [`for e-mails of ${domains.join(', ')}`]),
  ].join(', ');

const adminEmailOf = ({ admin }: Options): string | undefined => {
  if (admin === undefined) return undefined;
  const read = emailText('--admin').safeParse(admin);
  if (!read.success) throw new SettingsError(read.error.issues.map(({ message }) => message));
  return read.data;
};

/** Null allows any domain. */
const emailDomainsOf = (options: Options): readonly string[] | null => {
  const read = emailDomains.safeParse(options['email-domain'] ?? null);
  if (!read.success) throw new SettingsError(read.error.issues.map(({ message }) => message));
  return read.data;
};

/** Returns the address of the API host: `--url`, which may have a path, or else the origin of the token issuer. */
function baseUrlOf({ url }: Options, issuer: string): string {
  if (url === undefined) return new URL(issuer).origin;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isAddress = address !== undefined && /^https?:\/\/[^/]/.test(url) && `${address.search}${address.hash}` === '';
  if (!isAddress || address.username !== '' || address.password !== '') {
    throw new SettingsError(['--url must be the address of the API host, as in https://api.example.com']);
  }
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`;
}

interface InvitationCommand {
  readonly verb: 'create' | 'invite';
  readonly tenantName: string;
  readonly options: Options;
}

async function invite(
  { environment, say }: TenantCommand,
  { verb, tenantName, options }: InvitationCommand,
): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  const baseUrl = baseUrlOf(options, settings.issuerTemplate.replaceAll('{tenant}', tenantName));
  const adminEmail = adminEmailOf(options);
  const domains = emailDomainsOf(options);
  await using database = openDatabase(settings);
  const { createTenant, inviteAdmin } = useCasesOf(database, settings);
  const input = { tenantName, adminEmail, baseUrl };
  const { invitation } =
    verb === 'create' ? await createTenant({}, { ...input, emailDomains: domains }) : await inviteAdmin({}, input);
  const expires = new Date(invitation.expires_ts).toISOString();
  say(verb === 'create' ? `${tenantName} is created.` : `An admin of ${tenantName} is invited.`);
  say(`The one-time invitation of ${adminEmail ?? 'its admin'}, valid until ${expires}:`);
  say(invitation.url);
}

async function step(
  { environment, say }: TenantCommand,
  take: (useCases: TenantUseCases) => Promise<TenantRecord>,
): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  await using database = openDatabase(settings);
  const tenant = await take(useCasesOf(database, settings));
  say(`${tenant.name} is ${stateOf(tenant)}.`);
}

async function list({ environment, say }: TenantCommand): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  await using database = openDatabase(settings);
  const tenants = await createOperatorStore(database).list();
  if (tenants.length === 0) say('There are no tenants.');
  for (const tenant of tenants) say(`${tenant.name}: ${stateOf(tenant)}`);
}

/** Runs `npm run tenant`. Throws an error whose message is for the operator. */
export async function runTenantCommand(command: TenantCommand): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...command.argv],
    allowPositionals: true,
    options: {
      admin: { type: 'string' },
      url: { type: 'string' },
      requested: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'engine-tenants': { type: 'string' },
      to: { type: 'string' },
      export: { type: 'string' },
      'without-export': { type: 'boolean' },
      'email-domain': { type: 'string', multiple: true },
      any: { type: 'boolean' },
    },
  });
  const [verb, name, ...others] = positionals;
  if (others.length > 0) throw usage();
  if (verb === 'list' && name === undefined) return await list(command);
  if (verb === 'remove' && (name === undefined) === (values.requested === true)) {
    const isWithoutExport = values['without-export'] === true;
    if ((values.export === undefined) !== isWithoutExport) throw removalWithoutExport();
    return await offBoardTenants(command, { tenantName: name, exportFolder: values.export });
  }
  if (name === undefined) throw usage();
  if (verb === 'apply') {
    return await onBoardTenantFile(command, {
      path: name,
      engineTenantsPath: values['engine-tenants'],
      isDryRun: values['dry-run'] === true,
      baseUrlOf: (url, issuer) => baseUrlOf({ url }, issuer),
    });
  }
  if (verb === 'export' && values.to !== undefined) {
    return await runTenantExport(command, { tenantName: name, folder: values.to });
  }
  const hasDomains = values['email-domain'] !== undefined;
  if (hasDomains && verb !== 'create' && verb !== 'email-domains') throw usage();
  if (verb === 'email-domains' && hasDomains !== (values.any === true)) {
    const domains = emailDomainsOf(values);
    return await step(command, ({ setEmailDomains }) =>
      setEmailDomains({}, { tenantName: name, emailDomains: domains }),
    );
  }
  if (verb === 'create' || verb === 'invite') {
    return await invite(command, { verb, tenantName: name, options: values });
  }
  if (verb === 'suspend') return await step(command, ({ suspendTenant }) => suspendTenant({}, name));
  if (verb === 'resume') return await step(command, ({ resumeTenant }) => resumeTenant({}, name));
  throw usage();
}
