import { visibleLine } from '@sluice/contract/visible-text';
import { describeFinding, describeWhole, explainWhole } from '../../audit-log/explain-verdict.ts';
import { readTrustedKeys } from '../../audit-log/trusted-keys.ts';
import { type AuditVerdict, verifyAuditFile } from '../../audit-log/verify-file.ts';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { MismatchError } from '../../errors.ts';
import { formatClock } from '../../output/quantity.ts';
import { createProgressLine } from '../../terminal/progress-line.ts';

const REDRAW_MS = 500;

/** Verifies with a clock on the terminal. Ctrl-C ends the wait; main.ts then ends the process. */
async function verifyWithClock({ terminal, signal }: CommandContext, file: string, keys: readonly Uint8Array[]) {
  const line = createProgressLine(terminal.stderr);
  const startedMs = performance.now();
  const draw = (): void => {
    const clock = formatClock(performance.now() - startedMs);
    line
      .show([
        { text: `verifying ${visibleLine(file)}`, rank: 1 },
        { text: clock, rank: 0 },
      ])
      .catch(() => undefined);
  };
  const timer = setInterval(draw, REDRAW_MS);
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([verifyAuditFile(file, keys), aborted]);
  } finally {
    clearInterval(timer);
    await line.clear();
  }
}

const toDocument = (file: string, { kind, tenantId, records, checkpoints, finding, signed }: AuditVerdict) => ({
  file,
  kind,
  is_verified: finding === undefined,
  tenant_id: tenantId === '' ? null : tenantId,
  records,
  checkpoints,
  finding:
    finding === undefined
      ? null
      : {
          kind: finding.kind,
          sequence: finding.sequence ?? null,
          record_id: finding.recordId ?? null,
          checkpoint: finding.checkpoint ?? null,
          member: finding.member ?? null,
          reason: finding.reason,
        },
  signed: signed ?? null,
});

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Verify an export of the audit log or an evidence package, without a host',
  description: [
    'Computes the hash of every record and of the chain again, and checks the order and the signatures of the last line, the manifest and the checkpoints. It names the first record that was changed, removed, added or moved; of a filtered export, whose positions have gaps, not always. The file is read once or twice, with constant memory, and never leaves this machine.',
    'The keys that are trusted are those of --keys. They are the public keys of the operator: let the operator hand them to you once, or keep the JSON of `sluice api GET /audits/checkpoints` from the first day. Without --keys, the host of your login is asked for the keys that it publishes. Keys inside of a package are never used.',
    'Exit code 3: it is not what was sealed, or incomplete. Says in one paragraph on stderr what is proven and what is not.',
    '--json prints one document: file, kind (ndjson, json, csv, package), is_verified, tenant_id, records, checkpoints, finding (kind, sequence, record_id, checkpoint, member, reason), signed.',
  ].join('\n\n'),
  arguments: {
    file: { meaning: 'Export (NDJSON, JSON or CSV) or evidence package (ZIP).', isRequired: true, completes: 'file' },
  },
  options: {
    keys: {
      kind: 'text',
      value: 'KEYS',
      completes: 'file',
      meaning: 'File of trusted public keys: one in base64 per line, or the JSON of GET /audits/checkpoints.',
    },
    offline: { kind: 'flag', meaning: 'Never ask a host. Needs --keys.' },
  },
  examples: [
    {
      command:
        "api GET '/audits/checkpoints?size=1' > audit-keys.json && sluice audit verify whole-log.ndjson --keys audit-keys.json",
      does: 'keeps the keys, and verifies an export with them, without a host',
    },
    { command: 'audit verify last-month.zip', does: 'verifies a package with the keys that the host publishes' },
  ],
  routes: ['GET /audits/checkpoints'],
  files: ['`FILE` and `KEYS` are read'],
  exitCodes: [3],
  run: async (context, { arguments: { file }, options: { keys, offline } }) => {
    const { stdout, stderr } = context.terminal;
    const trusted = await readTrustedKeys(context, { keys, isOffline: offline });
    const verdict = await verifyWithClock(context, file, trusted);
    if (context.globals.isJson) await stdout.write(`${JSON.stringify(toDocument(file, verdict))}\n`);
    const failure = describeFinding(file, verdict);
    if (failure !== undefined) throw new MismatchError(failure);
    if (context.globals.isJson) return;
    await stdout.write(`${visibleLine(describeWhole(file, verdict))}\n`);
    const proven = visibleLine(explainWhole(verdict, keys === undefined ? 'host' : 'file'));
    if (!stderr.isTerminal) return await stderr.write(`${proven}\n`);
    // Widths of all scripts take time to load, and only a terminal needs them.
    const { wrapText } = await import('../../terminal/wrap-text.ts');
    await stderr.write(`${wrapText(proven, stderr.columns)}\n`);
  },
});
