import type { AuditExportEnd } from '@sluice/client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import type { AuditRequestFilter } from '../router/audit-address.ts';
import { saveFile } from '../ui/save-file.ts';
import { collectFile } from './collect-file.ts';

/** Files that an auditor can take along. */
export const EXPORT_KINDS = ['ndjson', 'csv', 'evidence'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

const FILES = {
  ndjson: { name: 'audit.ndjson', type: 'application/x-ndjson' },
  csv: { name: 'audit.csv', type: 'text/csv' },
  evidence: { name: 'evidence.zip', type: 'application/zip' },
} as const;

/** How far an export is. `end` is the signed last line of a file with records. */
export type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly bytes: number }
  | {
      readonly kind: 'done';
      readonly fileName: string;
      readonly bytes: number;
      readonly end: AuditExportEnd | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: unknown };

export interface AuditExport {
  readonly state: ExportState;
  readonly start: (kind: ExportKind, filter: AuditRequestFilter) => void;
  /** Ends a running export. Nothing is saved. */
  readonly stop: () => void;
}

/** Returns exports of the log, one at a time. A file is saved when it has arrived whole and ends as it must. */
export function useAuditExport(): AuditExport {
  const client = useClient();
  const [state, setState] = useState<ExportState>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
    setState({ kind: 'idle' });
  };
  useEffect(() => () => running.current?.abort(), []);
  const run = async (kind: ExportKind, filter: AuditRequestFilter, signal: AbortSignal) => {
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
    const file = await collectFile(parts, type, (bytes) => {
      // A part may be on its way when the user stops.
      if (!signal.aborted) setState({ kind: 'running', bytes });
    });
    signal.throwIfAborted();
    saveFile(file, name);
    setState({ kind: 'done', fileName: name, bytes: file.size, end });
  };
  return {
    state,
    stop,
    start(kind, filter) {
      running.current?.abort();
      const current = new AbortController();
      running.current = current;
      setState({ kind: 'running', bytes: 0 });
      run(kind, filter, current.signal).catch((failure: unknown) => {
        if (!current.signal.aborted) setState({ kind: 'failed', failure });
      });
    },
  };
}
