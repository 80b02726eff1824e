import { RANGE_OPTIONS, readRange } from '../../audit-log/filter-options.ts';
import { requireOutput, SAVE_AUDIT_FILES, SAVE_AUDIT_OPTIONS, saveAudit } from '../../audit-log/save-audit.ts';
import { readTrustedKeys } from '../../audit-log/trusted-keys.ts';
import { verifyPart } from '../../audit-log/verify-part.ts';
import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { idleTimeoutMs } from '../../profiles/idle-timeout.ts';

export const auditEvidence = defineCommand({
  name: 'audit evidence',
  summary: 'Save an evidence package for an auditor, proven complete',
  description:
    'A ZIP with every sealed record of a range of time, the checkpoints that cover them, counts by user and action, a signed list of its members, and a README that says how to verify it without Sluice. FILE appears only when `sluice audit verify` finds nothing in it with the keys that the host publishes; until then the bytes are in FILE.part.',
  arguments: {},
  options: {
    ...SAVE_AUDIT_OPTIONS,
    since: { ...RANGE_OPTIONS.since, meaning: `${RANGE_OPTIONS.since.meaning} Required.` },
    until: { ...RANGE_OPTIONS.until, meaning: `${RANGE_OPTIONS.until.meaning} At most 366 days later. Default: now.` },
  },
  examples: [
    { command: 'audit evidence --since 30d -o last-month.zip', does: 'saves the last 30 days' },
    {
      command: 'audit evidence --since 2026-07-01 --until 2026-10-01 -o third-quarter.zip',
      does: 'saves a quarter',
    },
  ],
  routes: ['GET /audits/evidence', 'GET /audits/checkpoints'],
  files: SAVE_AUDIT_FILES,
  exitCodes: [3],
  run: async (context, { options: { since, until, force, idleTimeout, ...options } }) => {
    const output = requireOutput(context, options.output);
    const { start, end = Date.now() } = readRange({ since, until });
    if (start === undefined) throw new UsageError('Say where the range begins: --since 30d, or --since 2026-01-01.');
    const limit = idleTimeout === undefined ? idleTimeoutMs(context.environment) : idleTimeout * 1000;
    const { client } = await context.connect();
    const keys = await readTrustedKeys(context, { keys: undefined, isOffline: false });
    const bytes = client.audit.evidence({ start, end }, { signal: context.signal, idleTimeoutMs: limit });
    const { stderr } = context.terminal;
    if (output === '-') {
      await saveAudit(context, bytes, { output, force });
      return await stderr.write('stdout: the package is whole by its length. Verify it with `sluice audit verify`.\n');
    }
    await saveAudit(context, verifyPart(bytes, `${output}.part`, keys), { output, force });
    await stderr.write(`${output}: verified with the keys that the host publishes.\n`);
  },
});
