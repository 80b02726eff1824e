import type { AuditEntry } from '@sluice/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditPosition, type AuditSearch, hidesPageLoads } from '../router/audit-address.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { Note } from '../ui/layout.tsx';
import { groupByQuery } from './group-records.ts';
import { type AuditRecordPage, positionBeside, readAuditPage } from './read-audit-page.ts';
import { RecordDialog } from './record-dialog.tsx';
import { RecordTable } from './record-table.tsx';
import './audit-records.css';

interface AuditRecordsProps {
  readonly search: AuditSearch;
  /** Called with the position of another page of the same search; undefined: the newest records. */
  readonly onMove: (position: AuditPosition | undefined) => void;
}

/** Records that match a search, a page at a time. */
export function AuditRecords({ search, onMove }: AuditRecordsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [open, setOpen] = useState<AuditEntry>();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: QUERY_KEYS.audit(search),
    queryFn: ({ signal }) => readAuditPage(client, search, signal),
    placeholderData: keepPreviousData,
    // Every read is recorded, so a page is read when the user asks for it and not by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error !== null) return <Failure error={error} onRetry={refetch} />;
  if (data === undefined) return <p role="status">{t('audit.loading')}</p>;
  if (data.records.length === 0) return <NoRecords page={data} search={search} onMove={onMove} />;
  return (
    <div className="audit-records" data-stale={isPlaceholderData || undefined}>
      <PageButtons page={data} search={search} onMove={onMove} />
      <RecordTable label={t('audit.view.records')} records={groupByQuery(data.records)} onOpen={setOpen} />
      <ReadsNote page={data} />
      {data.stoppedAt !== undefined && <SearchedNote stoppedAt={data.stoppedAt} />}
      <RecordDialog
        record={open === undefined ? undefined : { entry: open, json: JSON.stringify(open, undefined, 2) }}
        onClose={() => setOpen(undefined)}
      />
    </div>
  );
}

interface PageProps extends AuditRecordsProps {
  readonly page: AuditRecordPage;
}

function NoRecords({ page, search, onMove }: PageProps) {
  const { t } = useTranslation();
  const { stoppedAt } = page;
  if (stoppedAt === undefined)
    return (
      <EmptyState
        icon="search"
        title={t('audit.empty')}
        message={[t('audit.empty.message'), ...(hidesPageLoads(search) ? [t('audit.empty.page-loads')] : [])].join(' ')}
      >
        <ReadsNote page={page} />
      </EmptyState>
    );
  return (
    <EmptyState icon="search" title={t('audit.empty.so-far')}>
      <SearchedNote stoppedAt={stoppedAt} />
      <Button onPress={() => onMove(stoppedAt)}>{t('audit.search-on')}</Button>
    </EmptyState>
  );
}

/** Says since when records name the tables that they read. Nothing in a search for anything else. */
function ReadsNote({ page: { readsSince } }: { readonly page: AuditRecordPage }) {
  const { t, formatTime } = useTranslation();
  if (readsSince === undefined) return null;
  return (
    <Note>
      {readsSince === null ? t('audit.reads-since.never') : t('audit.reads-since', { time: formatTime(readsSince) })}
    </Note>
  );
}

/** Says how far a large log was searched. */
function SearchedNote({ stoppedAt: { direction, timestamp } }: { readonly stoppedAt: AuditPosition }) {
  const { t, formatTime } = useTranslation();
  return <Note>{t(`audit.searched.${direction}`, { time: formatTime(timestamp) })}</Note>;
}

const COUNTS = { older: 'audit.found.older', newer: 'audit.found.newer' } as const;

function PageButtons({ page, search, onMove }: PageProps) {
  const { t } = useTranslation();
  const { position } = search;
  return (
    <nav className="audit-records__pages" aria-label={t('audit.pages')}>
      <p role="status">
        {page.isAtLeast
          ? t('audit.found.at-least', { count: page.total })
          : t(position === undefined ? 'audit.found' : COUNTS[position.direction], { count: page.total })}
      </p>
      <Button size="s" isDisabled={!page.hasNewer} onPress={() => onMove(undefined)}>
        {t('audit.newest')}
      </Button>
      <Button size="s" isDisabled={!page.hasNewer} onPress={() => onMove(positionBeside(page, 'newer'))}>
        {t('audit.newer')}
      </Button>
      <Button size="s" isDisabled={!page.hasOlder} onPress={() => onMove(positionBeside(page, 'older'))}>
        {t('audit.older')}
      </Button>
    </nav>
  );
}
