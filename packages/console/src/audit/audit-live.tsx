import { useMemo, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import type { AuditSearch } from '../router/audit-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { passes } from './live-records.ts';
import { type OpenRecord, RecordDialog } from './record-dialog.tsx';
import { RecordTable } from './record-table.tsx';
import { type LiveLog, useLiveRecords } from './use-live-records.ts';
import './audit-records.css';

/** Records that pass a filter, as they are sealed. */
export function AuditLive({ search }: { readonly search: AuditSearch }) {
  const { t } = useTranslation();
  const log = useLiveRecords();
  const [open, setOpen] = useState<OpenRecord>();
  const shown = useMemo(() => log.shown.filter((record) => passes(record, search)), [log.shown, search]);
  return (
    <div className="audit-records">
      <p className="audit-records__about">{t('audit.live.about')}</p>
      {log.failure === undefined ? (
        <LiveState log={log} heldCount={log.held.filter((record) => passes(record, search)).length} />
      ) : (
        <Failure error={log.failure}>
          <Button size="s" onPress={log.restart}>
            {t('action.retry')}
          </Button>
        </Failure>
      )}
      {shown.length === 0 ? (
        <EmptyState icon="history" title={t('audit.live.waiting')} />
      ) : (
        <RecordTable
          label={t('audit.live.label')}
          records={shown.map(({ entry }) => entry)}
          onOpen={({ id }) => setOpen(shown.find(({ entry }) => entry.id === id))}
        />
      )}
      {log.dropped > 0 && <p className="audit-records__about">{t('audit.live.dropped', { count: log.dropped })}</p>}
      <RecordDialog record={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}

function LiveState({ log, heldCount }: { readonly log: LiveLog; readonly heldCount: number }) {
  const { t } = useTranslation();
  return (
    <div className="audit-records__pages">
      <p role="status">
        {log.isConnecting ? (
          <Badge tone="warning">{t('audit.live.connecting')}</Badge>
        ) : log.isPaused ? (
          <Badge>{t('audit.live.paused', { count: heldCount })}</Badge>
        ) : (
          <Badge tone="success">{t('audit.live.following')}</Badge>
        )}
      </p>
      <Button size="s" icon={log.isPaused ? 'run' : 'stop'} onPress={() => log.setPaused(!log.isPaused)}>
        {t(log.isPaused ? 'audit.live.resume' : 'audit.live.pause')}
      </Button>
    </div>
  );
}
