import { parseArgs } from 'node:util';
import { type Environment, readSettings, SettingsError } from '@sluice/config';
import { emailDomains, emailText, ProblemError, type TenantRecord } from '@sluice/contract';
import { createOperatorStore } from '@sluice/store/administration';
import { removeTenant } from '@sluice/store/audit';
import { createDatabase } from '@sluice/store/database';
import { auditSignerOf } from '../context/audit-signer-of.ts';
import { type ChangeTenants, createChangeTenants } from '../use-cases/administration/change-tenants.ts';
import { createMakeInvitation } from '../use-cases/administration/make-invitation.ts';
import { signDropped } from '../use-cases/audit/sign-dropped.ts';
import { auditOwnerSettings } from './audit-command-config.ts';
import { tenantCommandSettings } from './tenant-command-config.ts';

export interface TenantCommand {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly say: (line: string) => void;
}

const USAGE = `Use: create NAME [--admin E-MAIL] [--email-domain DOMAIN]... [--url ADDRESS] | invite NAME [--admin E-MAIL] [--url ADDRESS] | list
| email-domains NAME (--email-domain DOMAIN... | --any) | suspend NAME | resume NAME | remove NAME | remove --requested`;

const usage = (): ProblemError => new ProblemError('invalid_request', USAGE);

interface Options {
  readonly admin?: string | undefined;
  readonly url?: string | undefined;
  readonly 'email-domain'?: string[] | undefined;
  readonly any?: boolean | undefined;
  readonly requested?: boolean | undefined;
}

const stateOf = ({ state, removal_requested_ts: since, email_domains: domains }: TenantRecord): string =>
  [
    state,
    ...(since === null ? [] : [`to be removed since ${new Date(since).toISOString()}`]),
    ...(domains === null ? [] : [`for e-mails of ${domains.join(', ')}`]),
  ].join(', ');

const adminEmailOf = ({ admin }: Options): string | undefined => {
  if (admin === undefined) return undefined;
  const read = emailText('--admin').safeParse(admin);
  if (!read.success) throw new SettingsError(read.error.issues.map(({ message }) => message));
  return read.data;
};

/** Null: any domain. */
const emailDomainsOf = (options: Options): readonly string[] | null => {
  const read = emailDomains.safeParse(options['email-domain'] ?? null);
  if (!read.success) throw new SettingsError(read.error.issues.map(({ message }) => message));
  return read.data;
};

/** Where the API host is reached: as the command was told, with the path before its routes, or the origin that issues tokens. */
function baseUrlOf({ url }: Options, issuer: string): string {
  if (url === undefined) return new URL(issuer).origin;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isAddress = address !== undefined && /^https?:\/\/[^/]/.test(url) && `${address.search}${address.hash}` === '';
  if (!isAddress || address.username !== '' || address.password !== '') {
    throw new SettingsError(['--url must be the address of the API host, as in https://api.example.com']);
  }
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`;
}

interface Invitation {
  readonly verb: 'create' | 'invite';
  readonly tenantName: string;
  readonly options: Options;
}

async function invite({ environment, say }: TenantCommand, { verb, tenantName, options }: Invitation): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  const baseUrl = baseUrlOf(options, settings.issuerTemplate.replaceAll('{tenant}', tenantName));
  const make = createMakeInvitation({ lifetimeMs: settings.invitationLifetimeMs, now: Date.now });
  const { shown, kept } = make({ tenantName, baseUrl });
  const adminEmail = adminEmailOf(options);
  const domains = emailDomainsOf(options);
  await using database = createDatabase({ url: settings.databaseUrl.reveal(), applicationName: 'sluice-tenant' });
  const change = createChangeTenants(createOperatorStore(database));
  await change[verb]({ tenantName, adminEmail, emailDomains: domains, invitation: kept }, {});
  say(verb === 'create' ? `${tenantName} is made.` : `An admin of ${tenantName} is invited.`);
  say(
    `The one-time invitation of ${adminEmail ?? 'its admin'}, good until ${new Date(shown.expires_ts).toISOString()}:`,
  );
  say(shown.url);
}

async function step(
  { environment, say }: TenantCommand,
  take: (change: ChangeTenants) => Promise<TenantRecord>,
): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  await using database = createDatabase({ url: settings.databaseUrl.reveal(), applicationName: 'sluice-tenant' });
  const tenant = await take(createChangeTenants(createOperatorStore(database)));
  say(`${tenant.name} is ${stateOf(tenant)}.`);
}

async function list({ environment, say }: TenantCommand): Promise<void> {
  const { settings } = readSettings(tenantCommandSettings, environment);
  await using database = createDatabase({ url: settings.databaseUrl.reveal(), applicationName: 'sluice-tenant' });
  const tenants = await createOperatorStore(database).list();
  if (tenants.length === 0) say('There is no tenant.');
  for (const tenant of tenants) say(`${tenant.name}: ${stateOf(tenant)}`);
}

/** As the owner, who alone may take an audit log away, and leaves a signed tombstone of it. */
async function remove({ environment, say }: TenantCommand, tenantName: string | undefined): Promise<void> {
  const { settings } = readSettings(auditOwnerSettings, environment);
  const ownerUrl = settings.ownerUrl.reveal();
  const names = tenantName === undefined ? await requestedRemovals(ownerUrl) : [tenantName];
  if (names.length === 0) say('No removal was asked for.');
  const sign = signDropped(auditSignerOf(settings), 'tombstone', Date.now);
  for (const name of names) {
    const onlyIf = tenantName === undefined ? ({ onlyIf: 'removal requested' } as const) : {};
    await removeTenant({ ownerUrl, tenantName: name, ...onlyIf, sign });
    say(`${name} is removed; its checkpoints stay, with a signed tombstone.`);
  }
}

async function requestedRemovals(ownerUrl: string): Promise<readonly string[]> {
  await using database = createDatabase({ url: ownerUrl, poolMax: 1, applicationName: 'sluice-tenant' });
  const tenants = await createOperatorStore(database).list();
  return tenants.filter((tenant) => tenant.removal_requested_ts !== null).map(({ name }) => name);
}

/** What the operator does to tenants, from a shell. Throws a sentence for the operator. */
export async function runTenantCommand(command: TenantCommand): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...command.argv],
    allowPositionals: true,
    options: {
      admin: { type: 'string' },
      url: { type: 'string' },
      requested: { type: 'boolean' },
      'email-domain': { type: 'string', multiple: true },
      any: { type: 'boolean' },
    },
  });
  const [verb, name, ...others] = positionals;
  if (others.length > 0) throw usage();
  if (verb === 'list' && name === undefined) return await list(command);
  if (verb === 'remove' && (name === undefined) === (values.requested === true)) return await remove(command, name);
  if (name === undefined) throw usage();
  const hasDomains = values['email-domain'] !== undefined;
  if (hasDomains && verb !== 'create' && verb !== 'email-domains') throw usage();
  if (verb === 'email-domains' && hasDomains !== (values.any === true)) {
    const domains = emailDomainsOf(values);
    return await step(command, (change) => change.setEmailDomains({ tenantName: name, emailDomains: domains }, {}));
  }
  if (verb === 'create' || verb === 'invite') {
    return await invite(command, { verb, tenantName: name, options: values });
  }
  if (verb === 'suspend' || verb === 'resume') return await step(command, (change) => change[verb](name, {}));
  throw usage();
}
