import { readSettings, SettingsError } from '@sluice/config';
import { emailDomains, emailText, type TenantRecord } from '@sluice/contract';
import { createTenantDirectory } from '@sluice/store/administration';
import { createDatabase, type Database } from '@sluice/store/database';
import { type Command, Option } from 'commander';
import { createTenantsContext } from '../context/command-use-cases.ts';
import {
  createTenant,
  inviteAdmin,
  setEmailDomains,
  type TenantsContext,
  takeTenantStep,
} from '../resources/administration/tenants.ts';
import { collect, createProgram, reject, runProgram } from './command-line.ts';
import { offBoardTenants, runTenantExport } from './off-board-tenants.ts';
import { onBoardTenantFile } from './on-board-tenant-file.ts';
import type { OperatorCommand, OperatorProgram } from './run-as-main.ts';
import { type TenantCommandSettings, tenantCommandSettings } from './tenant-command-config.ts';

interface Options {
  readonly admin?: string;
  readonly url?: string;
  readonly emailDomain?: readonly string[];
}

const openDatabase = ({ databaseUrl }: TenantCommandSettings): Database =>
  createDatabase({ url: databaseUrl.reveal(), applicationName: 'sluice-tenant' });

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
  const read = emailDomains.safeParse(options.emailDomain ?? null);
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
  { environment, say }: OperatorCommand,
  { verb, tenantName, options }: InvitationCommand,
): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  const baseUrl = baseUrlOf(options, settings.issuerTemplate.replaceAll('{tenant}', tenantName));
  const adminEmail = adminEmailOf(options);
  const domains = emailDomainsOf(options);
  await using database = openDatabase(settings);
  const context = createTenantsContext(database, settings);
  const input = { tenantName, adminEmail, baseUrl };
  const { invitation } =
    verb === 'create'
      ? await createTenant(context, {}, { ...input, emailDomains: domains })
      : await inviteAdmin(context, {}, input);
  const expires = new Date(invitation.expires_ts).toISOString();
  say(verb === 'create' ? `${tenantName} is created.` : `An admin of ${tenantName} is invited.`);
  say(`The one-time invitation of ${adminEmail ?? 'its admin'}, valid until ${expires}:`);
  say(invitation.url);
}

async function step(
  { environment, say }: OperatorCommand,
  take: (context: TenantsContext) => Promise<TenantRecord>,
): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  await using database = openDatabase(settings);
  const tenant = await take(createTenantsContext(database, settings));
  say(`${tenant.name} is ${stateOf(tenant)}.`);
}

async function list({ environment, say }: OperatorCommand): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  await using database = openDatabase(settings);
  const tenants = await createTenantDirectory(database).list();
  if (tenants.length === 0) say('There are no tenants.');
  for (const tenant of tenants) say(`${tenant.name}: ${stateOf(tenant)}`);
}

const ADMIN = ['--admin <E-MAIL>', 'Only the holder of this e-mail address can accept the invitation.'] as const;
const URL_OF_API = [
  '--url <ADDRESS>',
  'Address of the API host in the invitation. Default: the origin of ISSUER_TEMPLATE.',
] as const;

const emailDomainOption = (): Option =>
  new Option('--email-domain <DOMAIN>', 'Domain of the e-mails of new users. Can be given again.').argParser(collect);

/** Commands of an API host's database role. */
function addDailyCommands(program: Command, command: OperatorCommand): void {
  program
    .command('create')
    .description('Create a tenant, and print the one-time invitation of its first admin.')
    .argument('<NAME>', 'Name of the tenant, as in its subdomains.')
    .option(...ADMIN)
    .addOption(emailDomainOption())
    .option(...URL_OF_API)
    .action(async (tenantName: string, options: Options) => invite(command, { verb: 'create', tenantName, options }));
  program
    .command('invite')
    .description('Print a new invitation: of the first admin again, or of another one.')
    .argument('<NAME>', 'Name of the tenant.')
    .option(...ADMIN)
    .option(...URL_OF_API)
    .action(async (tenantName: string, options: Options) => invite(command, { verb: 'invite', tenantName, options }));
  program
    .command('list')
    .description('List all tenants with their states.')
    .action(async () => list(command));
  program
    .command('email-domains')
    .description('Set the domains that e-mails of new users must have.')
    .argument('<NAME>', 'Name of the tenant.')
    .addOption(emailDomainOption())
    .option('--any', 'Allow every domain.')
    .action(async (name: string, options: Options & { readonly any?: true }, self: Command) => {
      if ((options.emailDomain !== undefined) === (options.any === true))
        reject(self, 'Give either --email-domain, once for each domain, or --any.');
      const domains = emailDomainsOf(options);
      await step(command, (context) => setEmailDomains(context, {}, { tenantName: name, emailDomains: domains }));
    });
  program
    .command('suspend')
    .description('Reject all users of a tenant, and end its running queries. Nothing is deleted.')
    .argument('<NAME>', 'Name of the tenant.')
    .action(async (name: string) => step(command, (context) => takeTenantStep(context, {}, { name, step: 'suspend' })));
  program
    .command('resume')
    .description('Reactivate a suspended tenant.')
    .argument('<NAME>', 'Name of the tenant.')
    .action(async (name: string) => step(command, (context) => takeTenantStep(context, {}, { name, step: 'resume' })));
  program
    .command('apply')
    .description('Create or change a tenant as a YAML file says.')
    .argument('<FILE>', 'File with the tenant, its admin, its identity provider and its engine.')
    .option('--engine-tenants <FILE>', 'File that the hosts read as ENGINE_TENANTS_FILE.')
    .option('--dry-run', 'Print what would change, and change nothing.')
    .action(async (path: string, options: { readonly engineTenants?: string; readonly dryRun?: true }) =>
      onBoardTenantFile(command, {
        path,
        engineTenantsPath: options.engineTenants,
        isDryRun: options.dryRun === true,
        baseUrlOf: (url, issuer) => baseUrlOf(url === undefined ? {} : { url }, issuer),
      }),
    );
}

interface RemoveOptions {
  readonly requested?: true;
  readonly export?: string;
  readonly withoutExport?: true;
}

/** Commands of the owner of the schema, with DATABASE_OWNER_URL and the key that signs checkpoints. */
function addOwnerCommands(program: Command, command: OperatorCommand): void {
  program
    .command('export')
    .description('Write all data of a tenant to a folder. Needs DATABASE_OWNER_URL.')
    .argument('<NAME>', 'Name of the tenant.')
    .requiredOption('--to <FOLDER>', 'Folder to create.')
    .action(async (tenantName: string, { to }: { readonly to: string }) =>
      runTenantExport(command, { tenantName, folder: to }),
    );
  program
    .command('remove')
    .description('Delete a tenant and all its data for good. Needs DATABASE_OWNER_URL.')
    .argument('[NAME]', 'Name of the tenant.')
    .option('--requested', 'Delete every tenant whose removal is requested.')
    .option(
      '--export <FOLDER>',
      'Folder of a complete export, which is checked first. With --requested, the folder of a folder for each tenant.',
    )
    .option('--without-export', 'Delete without an export.')
    .action(async (tenantName: string | undefined, options: RemoveOptions, self: Command) => {
      const { requested, export: exportFolder, withoutExport } = options;
      if ((tenantName === undefined) !== (requested === true))
        reject(self, 'Give either the name of a tenant or --requested.');
      if ((exportFolder === undefined) !== (withoutExport === true))
        reject(
          self,
          'Name the folder of an export in --export, as `export NAME --to FOLDER` writes it, or give --without-export to remove the data for good.',
        );
      await offBoardTenants(command, { tenantName, exportFolder });
    });
}

/** Runs `npm run tenant`. Throws an error whose message is for the operator. */
export async function runTenantCommand(command: OperatorCommand): Promise<void> {
  const program = createProgram('tenant', 'Create, change and remove tenants.', command.say);
  addDailyCommands(program, command);
  addOwnerCommands(program, command);
  await runProgram(program, command.argv);
}

/** `npm run tenant`. */
export const tenantProgram: OperatorProgram = {
  run: async (command) => {
    await runTenantCommand(command);
    return 0;
  },
  failureCode: 1,
};
