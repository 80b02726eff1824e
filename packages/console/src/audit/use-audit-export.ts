import type { AuditExportEnd } from '@sluice/client';
import { useClient } from '../api/use-client.ts';
import type { AuditRequestFilter } from '../router/audit-address.ts';
import { saveFile } from '../ui/save-file.ts';
import { type StoppableTask, type TaskState, useStoppableTask } from '../ui/use-stoppable-task.ts';
import { collectFile } from './collect-file.ts';

/** Files that an auditor can take along. */
export const EXPORT_KINDS = ['ndjson', 'csv', 'evidence'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

const FILES = {
  ndjson: { name: 'audit.ndjson', type: 'application/x-ndjson' },
  csv: { name: 'audit.csv', type: 'text/csv' },
  evidence: { name: 'evidence.zip', type: 'application/zip' },
} as const;

interface ExportInput {
  readonly kind: ExportKind;
  readonly filter: AuditRequestFilter;
}

/** Progress of an export. `end` is the signed last line of a file with records. */
type ExportProgress =
  | { readonly kind: 'running'; readonly bytes: number }
  | {
      readonly kind: 'done';
      readonly fileName: string;
      readonly bytes: number;
      readonly end: AuditExportEnd | undefined;
    };
export type ExportState = TaskState<ExportProgress>;
export type AuditExport = StoppableTask<ExportInput, ExportProgress>;

/** Returns exports of the log, one at a time. A file is saved when it has arrived whole and ends as it must; a stopped one is not. */
export function useAuditExport(): AuditExport {
  const client = useClient();
  return useStoppableTask<ExportInput, ExportProgress>(
    { kind: 'running', bytes: 0 },
    async ({ kind, filter }, { show, signal }) => {
      let end: AuditExportEnd | undefined;
      const { start = 0, end: until = 0 } = filter;
      const parts =
        kind === 'evidence'
          ? client.audit.evidence({ start, end: until }, { signal })
          : client.audit.export({ format: kind, ...filter } as Parameters<typeof client.audit.export>[0], {
              signal,
              onEnd: (found) => {
                end = found;
              },
            });
      const { name, type } = FILES[kind];
      const file = await collectFile(parts, type, (bytes) => show({ kind: 'running', bytes }));
      signal.throwIfAborted();
      saveFile(file, name);
      show({ kind: 'done', fileName: name, bytes: file.size, end });
    },
  );
}
