import type { AuditFilters } from '@sluice/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditSearch, auditPath, filterOf } from '../router/audit-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { groupByQuery, joinOutcomes } from './group-records.ts';
import { addRecords, type LiveRecords, NO_LIVE_RECORDS, pause, readLiveRecord, resume } from './live-records.ts';
import type { OpenRecord } from './open-record.ts';
import { RecordDialog } from './record-dialog.tsx';
import { RecordTable } from './record-table.tsx';
import './audit-records.css';

/** Records that match a filter, as they are sealed. Another filter begins another list. */
export function AuditLive({ search }: { readonly search: AuditSearch }) {
  return <LiveList key={auditPath(search)} search={search} />;
}

function LiveList({ search }: { readonly search: AuditSearch }) {
  const { t } = useTranslation();
  const log = useLiveRecords(search);
  const [open, setOpen] = useState<OpenRecord>();
  const shown = useMemo(() => joinOutcomes(log.shown), [log.shown]);
  const records = useMemo(() => groupByQuery(shown.map(({ entry }) => entry)), [shown]);
  return (
    <div className="audit-records">
      <p className="audit-records__about">{t('audit.live.about')}</p>
      {log.failure === undefined ? (
        <LiveState log={log} heldCount={joinOutcomes(log.held).length} />
      ) : (
        <Failure error={log.failure} onRetry={log.restart} />
      )}
      {shown.length === 0 ? (
        <EmptyState icon="history" title={t('audit.live.waiting')} />
      ) : (
        <RecordTable
          label={t('audit.live.label')}
          records={records}
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

/** Records that arrive within this time are shown together, in milliseconds: a list that changes more often cannot be read. */
const SHOW_EVERY_MS = 250;

/** The log as it grows. */
interface LiveLog extends LiveRecords {
  readonly isConnecting: boolean;
  /** Error that ended the stream of records; `restart` opens another one. */
  readonly failure: unknown;
  readonly setPaused: (isPaused: boolean) => void;
  /** Follows the log again, after the last record that is shown or held. */
  readonly restart: () => void;
}

/** Follows the log while the component is shown. The filter stays the same meanwhile. */
function useLiveRecords(search: AuditSearch): LiveLog {
  const client = useClient();
  const [filters] = useState(() => filterOf(search, 0).advance_options);
  const [attempt, setAttempt] = useState(0);
  const [records, setRecords] = useState(NO_LIVE_RECORDS);
  const [isConnecting, setConnecting] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const lastSequence = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows the log again
  useEffect(() => {
    const leaving = new AbortController();
    let arrived: OpenRecord[] = [];
    let arrivedSequence = lastSequence.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const added = arrived;
      arrived = [];
      lastSequence.current = arrivedSequence;
      setConnecting(false);
      setRecords((before) => addRecords(before, added));
    };
    const moveOn = (sequence: number) => {
      arrivedSequence = sequence;
      if (arrived.length > 0) return;
      lastSequence.current = sequence;
      setConnecting(false);
    };
    const follow = async () => {
      const onReconnect = () => setConnecting(true);
      const options = { signal: leaving.signal, onReconnect, onPosition: moveOn, after: lastSequence.current };
      // The address may have an action that the host does not know. It says so.
      for await (const { sequence, text } of client.audit.follow({ ...options, filters: filters as AuditFilters })) {
        arrivedSequence = sequence;
        arrived.push(readLiveRecord(text));
        timer ??= setTimeout(show, SHOW_EVERY_MS);
      }
    };
    setFailure(undefined);
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) setFailure(error);
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, attempt, filters]);
  return {
    ...records,
    isConnecting,
    failure,
    setPaused: (isPaused) => setRecords(isPaused ? pause : resume),
    restart: () => setAttempt((before) => before + 1),
  };
}
