import type { AuditExportEnd } from '@sluice/client';
import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditRequestFilter, type AuditSearch, filterOf } from '../router/audit-address.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { saveFile } from '../ui/save-file.ts';
import { SelectField } from '../ui/select-field.tsx';
import { type StoppableTask, type TaskState, useStoppableTask } from '../ui/use-stoppable-task.ts';
import { collectFile } from './collect-file.ts';
import { rangeInputOf, readRangeInput } from './evidence-range.ts';
import { EvidenceRangeFields } from './evidence-range-fields.tsx';
import './export-dialog.css';

interface ExportDialogProps {
  readonly search: AuditSearch;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that saves the records of a search, or everything of a time, as a file that proves that it is whole. */
export function ExportDialog({ search, isOpen, onClose }: ExportDialogProps) {
  const { t } = useTranslation();
  const log = useAuditExport();
  const close = () => {
    log.stop();
    onClose();
  };
  return (
    <Dialog title={t('audit.export.title')} isOpen={isOpen} onClose={close}>
      {isOpen && <ExportForm search={search} log={log} onClose={close} />}
    </Dialog>
  );
}

function ExportForm({
  search,
  log,
  onClose,
}: Pick<ExportDialogProps, 'search' | 'onClose'> & { readonly log: AuditExport }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ExportKind>('ndjson');
  const filter = filterOf(search, Date.now());
  const [input, setInput] = useState(() => rangeInputOf(filter, Date.now()));
  const range = readRangeInput(input);
  const isRunning = log.state.kind === 'running';
  const chosen: AuditRequestFilter = kind === 'evidence' && range !== undefined ? range : filter;
  return (
    <div className="export-dialog">
      <SelectField
        label={t('audit.export.kind')}
        value={kind}
        choices={EXPORT_KINDS.map((id) => ({ id, label: t(`audit.export.kind.${id}`) }))}
        onChange={(next) => {
          log.stop();
          setKind(next);
        }}
      />
      <p className="export-dialog__about">{t(`audit.export.about.${kind}`)}</p>
      {kind === 'evidence' && <EvidenceRangeFields value={input} onChange={setInput} />}
      <div aria-live="polite">
        <ShownExport state={log.state} />
      </div>
      <DialogActions {...(log.state.kind === 'done' ? { onClose } : { onCancel: onClose })}>
        {isRunning ? (
          <Button onPress={log.stop} icon="stop">
            {t('action.stop')}
          </Button>
        ) : (
          <Button
            kind="primary"
            icon="download"
            isDisabled={kind === 'evidence' && range === undefined}
            onPress={() => log.start({ kind, filter: chosen })}
          >
            {t('audit.export.start')}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}

function ShownExport({ state }: { readonly state: ExportState }) {
  const { t, language } = useTranslation();
  if (state.kind === 'idle') return null;
  if (state.kind === 'running') return <p>{t('audit.export.running', { size: formatBytes(state.bytes, language) })}</p>;
  if (state.kind === 'failed')
    return (
      <>
        <Failure error={state.failure} />
        <p>{t('audit.export.not-saved')}</p>
      </>
    );
  const command = `sluice audit verify ${state.fileName}`;
  return (
    <div className="export-dialog__done">
      <p className="export-dialog__title">{t('audit.export.done')}</p>
      <p>
        {state.end === undefined
          ? t('audit.export.done.evidence')
          : t('audit.export.done.records', { count: state.end.records })}
      </p>
      <p>{t('audit.export.check')}</p>
      <p className="export-dialog__command">
        <code>{command}</code>
        <CopyButton text={command} label={t('action.copy-command')} />
      </p>
    </div>
  );
}

/** Files that an auditor can take along. */
const EXPORT_KINDS = ['ndjson', 'csv', 'evidence'] as const;
type ExportKind = (typeof EXPORT_KINDS)[number];

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
type ExportState = TaskState<ExportProgress>;
type AuditExport = StoppableTask<ExportInput, ExportProgress>;

/** Returns exports of the log, one at a time. A file is saved when it has arrived whole and ends as it must; a stopped one is not. */
function useAuditExport(): AuditExport {
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
