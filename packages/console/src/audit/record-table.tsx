import type { AuditEntry } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { sentenceKey } from './audit-actions.ts';
import './record-outcome.css';
import './record-table.css';

interface RecordTableProps {
  readonly label: string;
  readonly records: readonly AuditEntry[];
  readonly onOpen: (record: AuditEntry) => void;
}

/** Records in the order in which they come. A row opens with a click or Enter. */
export function RecordTable({ label, records, onOpen }: RecordTableProps) {
  const { t, formatTime } = useTranslation();
  return (
    <div className="record-table">
      <DataTable
        label={label}
        items={records}
        idOf={({ id }) => id}
        onOpen={onOpen}
        columns={[
          {
            id: 'time',
            title: t('label.time'),
            cell: ({ timestamp }) => <span className="record-table__time">{formatTime(timestamp)}</span>,
          },
          { id: 'what', title: t('audit.column.what'), cell: (record) => <RecordSentence record={record} /> },
          {
            id: 'action',
            title: t('label.action'),
            cell: ({ action }) => <code className="record-table__action">{visibleText(action)}</code>,
          },
          { id: 'outcome', title: t('audit.column.outcome'), cell: (record) => <RecordOutcome record={record} /> },
        ]}
      />
    </div>
  );
}

/** Sentence that says what a user did to which object. */
export function RecordSentence({ record }: { readonly record: Pick<AuditEntry, 'user' | 'action' | 'target'> }) {
  const { t } = useTranslation();
  const { user, action, target } = record;
  const values = { user: visibleText(user), action: visibleText(action), target: visibleText(target) };
  return <bdi>{t(sentenceKey(action), values)}</bdi>;
}

type ShownRecord = Pick<AuditEntry, 'action' | 'metadata'>;

const STATES = {
  FINISHED: { tone: 'success', key: 'query-state.FINISHED' },
  FAILED: { tone: 'danger', key: 'query-state.FAILED' },
  CANCELLED: { tone: 'neutral', key: 'query-state.CANCELLED' },
  UNKNOWN: { tone: 'warning', key: 'query-state.UNKNOWN' },
} as const;
const LIMITED = { tone: 'warning', key: 'query-state.limited' } as const;

const REJECTIONS: ReadonlySet<string> = new Set(['ACCESS_DENIED', 'LOGIN_FAILED', 'REFRESH_TOKEN_REUSED']);

/** Outcome of an action: the state and rows of a query, or "rejected". Renders nothing for other actions, which have succeeded. */
export function RecordOutcome({ record: { action, metadata } }: { readonly record: ShownRecord }) {
  const { t } = useTranslation();
  if (REJECTIONS.has(action)) return <Badge tone="warning">{t('audit.state.rejected')}</Badge>;
  const { state, rows, limited, at_least: isAtLeast } = metadata;
  const known = limited === true ? LIMITED : Object.entries(STATES).find(([name]) => name === state)?.[1];
  if (known === undefined) return null;
  return (
    <span className="record-outcome">
      <Badge tone={known.tone}>{t(known.key)}</Badge>
      {typeof rows === 'number' && (
        <span className="record-outcome__rows">
          {t(isAtLeast === true ? 'count.rows-at-least' : 'count.rows', { count: rows })}
        </span>
      )}
    </span>
  );
}
