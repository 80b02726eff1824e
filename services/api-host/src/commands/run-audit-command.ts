import { readFile } from 'node:fs/promises';
import {
  describeSetAside,
  exportLines,
  readCheckpoint,
  type TrustedKeys,
  trustedKeys,
  type Verdict,
  verifyEvidencePackage,
  verifyExport,
} from '@sluice/audit';
import { readSettings, SettingsError } from '@sluice/config';
import {
  createAuditSealStore,
  openAuditVerification,
  retainAudit,
  setRetentionFloor,
  setTenantRetention,
} from '@sluice/store/audit';
import { createDatabase } from '@sluice/store/database';
import type { Command } from 'commander';
import { auditSignerOf } from '../context/audit-signer-of.ts';
import { OPERATOR } from '../resources/administration/tenants.ts';
import { signDropped } from '../use-cases/audit/sign-dropped.ts';
import { verifyAuditLog } from '../use-cases/audit/verify-audit-log.ts';
import {
  type AuditVerifySettings,
  auditOwnerSettings,
  auditVerifySettings,
  toRetentionMs,
} from './audit-command-config.ts';
import { collect, createProgram, reject, runProgram } from './command-line.ts';
import type { OperatorCommand, OperatorProgram } from './run-as-main.ts';

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');

const verdictLine = ({ tenantId, records, checkpoints, finding }: Verdict): string => {
  if (finding === undefined) return `${tenantId}: ${records} records and ${checkpoints} checkpoints are verified.`;
  const { kind, sequence, checkpoint, recordId, member, reason } = finding;
  const places = [
    ...(member === undefined ? [] : [member]),
    ...(checkpoint === undefined ? [] : [`checkpoint ${checkpoint}`]),
    ...(sequence === undefined ? [] : [`record ${sequence}`]),
    ...(recordId === undefined ? [] : [`id ${recordId}`]),
  ];
  return `${tenantId || 'unknown tenant'}: ${kind}: ${places.join(', ') || 'the export'}. ${reason} ${records} records before it are verified.`;
};

/** Lines about what hosts set aside, which a record of the log reports. */
const setAsideLines = ({ tenantId, setAside }: Verdict): readonly string[] => {
  if (setAside === undefined) return [];
  const more = setAside.count - setAside.first.length;
  return [
    ...setAside.first.map((report) => `${tenantId}: ${describeSetAside(report)}`),
    ...(more > 0 ? [`${tenantId}: ${more} more records report that a host set something aside.`] : []),
  ];
};

/** Reads saved responses of GET /audits/checkpoints, by tenant and number. */
async function readCheckpoints(files: readonly string[]): Promise<Map<string, Map<number, string>>> {
  const saved = new Map<string, Map<number, string>>();
  for (const file of files) {
    const { data } = JSON.parse(await readFile(file, 'utf8')) as { data: readonly { payload: string }[] };
    for (const { payload } of data) {
      const read = readCheckpoint(payload);
      if (read === undefined) throw new SettingsError([`--checkpoints ${file} has an entry that is not a checkpoint`]);
      saved.set(read.tenant_id, (saved.get(read.tenant_id) ?? new Map()).set(read.number, payload));
    }
  }
  return saved;
}

interface VerifyOptions {
  readonly export?: string;
  readonly package?: string;
  readonly checkpoints?: readonly string[];
}

/** Returns keys that do not come from the file to verify. Throws SettingsError. */
function knownKeys(publicKeys: AuditVerifySettings['publicKeys']): TrustedKeys {
  if (publicKeys === undefined)
    throw new SettingsError(['AUDIT_PUBLIC_KEYS must be set to verify an export or an evidence package']);
  return trustedKeys(publicKeys.map(bytesOf));
}

async function* verdicts(
  { databaseUrl, publicKeys }: AuditVerifySettings,
  options: VerifyOptions,
): AsyncGenerator<Verdict> {
  if (options.package !== undefined) {
    yield await verifyEvidencePackage({ path: options.package, keys: knownKeys(publicKeys) });
    return;
  }
  if (options.export !== undefined) {
    const format = options.export.endsWith('.csv') ? 'csv' : 'ndjson';
    yield await verifyExport({ format, lines: exportLines(options.export), keys: knownKeys(publicKeys) });
    return;
  }
  if (databaseUrl === undefined) throw new SettingsError(['DATABASE_URL must be set, or --export or --package given']);
  await using log = await openAuditVerification(databaseUrl.reveal());
  const published = publicKeys === undefined ? await log.keys() : undefined;
  const keys = trustedKeys(published?.map(({ publicKey }) => publicKey) ?? (publicKeys ?? []).map(bytesOf));
  yield* verifyAuditLog({ log, keys, saved: await readCheckpoints(options.checkpoints ?? []) });
}

async function verify({ environment, say }: OperatorCommand, options: VerifyOptions): Promise<number> {
  const { settings } = readSettings(auditVerifySettings, environment);
  const isFile = options.export !== undefined || options.package !== undefined;
  if (settings.publicKeys === undefined && !isFile) {
    say('Using the keys that the database publishes. Set AUDIT_PUBLIC_KEYS to trust only the keys that you know.');
  }
  let findings = 0;
  for await (const verdict of verdicts(settings, options)) {
    say(verdictLine(verdict));
    for (const line of setAsideLines(verdict)) say(line);
    if (verdict.finding !== undefined) findings += 1;
  }
  return findings === 0 ? 0 : 1;
}

async function retain({ environment, say }: OperatorCommand): Promise<number> {
  const { settings } = readSettings(auditOwnerSettings, environment);
  const { auditRetentionMs: retentionMs } = settings;
  const url = settings.ownerUrl.reveal();
  await setRetentionFloor({ ownerUrl: url, keptMs: retentionMs, user: OPERATOR });
  const signer = auditSignerOf(settings);
  // The sealers continue from this checkpoint, and take one by a key that is not published for forged.
  await using database = createDatabase({ url, poolMax: 1 });
  await createAuditSealStore(database).putKey(signer);
  const sign = signDropped(signer, 'retention', Date.now);
  const months = await retainAudit({ url, retentionMs, sign });
  say(months.length === 0 ? 'No month is old enough.' : `Dropped: ${months.join(', ')}.`);
  return 0;
}

async function retainTenant({ environment, say }: OperatorCommand, tenantName: string, keep: string): Promise<number> {
  const { settings } = readSettings(auditOwnerSettings, environment);
  const retentionMs = toRetentionMs(keep);
  await setTenantRetention({ ownerUrl: settings.ownerUrl.reveal(), tenantName, retentionMs, user: OPERATOR });
  say(`Records of ${tenantName} are shown for ${keep === 'default' ? 'the AUDIT_RETENTION of the hosts' : keep}.`);
  return 0;
}

const RETAIN = `Drop the months of audit records that are older than AUDIT_RETENTION, or set how long one tenant's records are shown.`;

interface RetainOptions {
  readonly tenant?: string;
  readonly keep?: string;
}

/** Runs an audit command. Returns the exit code: 1 if a log differs from what was sealed. Throws an error whose message is for the operator. */
export async function runAuditCommand(command: OperatorCommand): Promise<number> {
  const program = createProgram('audit', 'Verify the audit log, and drop old records of it.', command.say);
  let exitCode = 0;
  program
    .command('verify')
    .description('Compare the audit log, an export of it or an evidence package with what was sealed.')
    .option('--export <FILE>', 'Export of the log, NDJSON or CSV, in place of DATABASE_URL.')
    .option('--package <FILE>', 'Evidence package, in place of DATABASE_URL.')
    .option(
      '--checkpoints <FILE>',
      'Stored response of GET /audits/checkpoints, with which the log is compared. Can be given again.',
      collect,
    )
    .action(async (options: VerifyOptions, self: Command) => {
      if (options.export !== undefined && options.package !== undefined)
        reject(self, 'Give either --export or --package.');
      exitCode = await verify(command, options);
    });
  program
    .command('retain')
    .description(RETAIN)
    .option('--tenant <NAME>', 'Name of the tenant.')
    .option('--keep <TIME>', 'Time such as 90d, or `default` for AUDIT_RETENTION.')
    .action(async ({ tenant, keep }: RetainOptions, self: Command) => {
      if (tenant !== undefined && keep !== undefined) exitCode = await retainTenant(command, tenant, keep);
      else if (tenant === undefined && keep === undefined) exitCode = await retain(command);
      else reject(self, 'Give --tenant and --keep together, or neither.');
    });
  await runProgram(program, command.argv);
  return exitCode;
}

/** `npm run audit:verify` and `npm run audit:retain`. Exit code 1 says that a log differs from what was sealed. */
export const auditProgram: OperatorProgram = { run: runAuditCommand, failureCode: 2 };
