import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { AuditExportEnd } from '@sluice/client';
import { FILTER_OPTIONS, readFilter } from '../../audit-log/filter-options.ts';
import { toJsonArray } from '../../audit-log/json-array.ts';
import { lookUpReadsSince } from '../../audit-log/reads-since.ts';
import { requireOutput, SAVE_AUDIT_FILES, SAVE_AUDIT_OPTIONS, saveAudit } from '../../audit-log/save-audit.ts';
import { defineCommand } from '../../command.ts';
import { formatCount } from '../../output/quantity.ts';
import { idleTimeoutMs } from '../../profiles/idle-timeout.ts';

const FORMATS = ['ndjson', 'json', 'csv'] as const;

function chooseFormat(output: string, given: (typeof FORMATS)[number] | undefined): (typeof FORMATS)[number] {
  const extension = extname(output).slice(1).toLowerCase();
  return given ?? FORMATS.find((name) => name === extension) ?? 'ndjson';
}

const createSha256 = () => {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
};

export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Save records of the audit log with their seals, all that match',
  description:
    'Each record has its position in the hash chain, outcomes of queries are records of their own, and the last line is signed. FILE appears only when that line is there and its SHA-256 is that of everything before it; until then the bytes are in FILE.part. `sluice audit verify FILE` then checks every record and the signature, without a host.\n\nWith --reads, stderr says since when records name the tables that they read, for which a search is sent.\n\nIn CSV, values that a spreadsheet would run as formulas get an apostrophe before them; --raw leaves them as they are. JSON is one array of the same objects.\n\n--json prints one document: file, format, records, sha256 (of the signed lines), filter, from, head.',
  arguments: {},
  options: {
    ...SAVE_AUDIT_OPTIONS,
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: FORMATS,
      meaning: 'Default: by the extension of FILE, otherwise ndjson.',
    },
    raw: { kind: 'flag', meaning: 'CSV with the exact values.' },
    ...FILTER_OPTIONS,
  },
  examples: [
    { command: 'audit export -o whole-log.ndjson', does: 'saves the whole log' },
    {
      command: 'audit export --since 30d --user analyst@acme.example -o one-account.csv',
      does: 'saves what one account did',
    },
  ],
  routes: ['POST /audits/logs/export', 'POST /audits/logs/search'],
  files: SAVE_AUDIT_FILES,
  exitCodes: [3],
  run: async (context, { options }) => {
    const { raw, force, idleTimeout } = options;
    const output = requireOutput(context, options.output);
    const format = chooseFormat(output, options.format);
    const input = { ...readFilter(options), format: format === 'csv' ? format : 'ndjson', raw } as const;
    const limit = idleTimeout === undefined ? idleTimeoutMs(context.environment) : idleTimeout * 1000;
    const { client } = await context.connect();
    await lookUpReadsSince(client, context.terminal, { reads: options.reads, signal: context.signal });
    let end: AuditExportEnd | undefined;
    const bytes = client.audit.export(input, {
      signal: context.signal,
      idleTimeoutMs: limit,
      createSha256,
      onEnd: (found) => {
        end = found;
      },
    });
    await saveAudit(context, format === 'json' ? toJsonArray(bytes) : bytes, { output, force });
    if (end === undefined) return;
    const { records, sha256, filter, from, head } = end;
    const isStdout = output === '-';
    const next = isStdout ? '' : ` Verify it with \`sluice audit verify ${output}\`.`;
    await context.terminal.stderr.write(
      `${isStdout ? 'stdout' : output}: ${formatCount(records)} ${records === 1 ? 'record' : 'records'}, as the signed last line says.${next}\n`,
    );
    if (context.globals.isJson && !isStdout)
      await context.terminal.stdout.write(
        `${JSON.stringify({ file: output, format, records, sha256, filter, from, head })}\n`,
      );
  },
});
