import type { AuditEntry } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { type DescribedRecord, REJECTIONS, sentenceKey } from './audit-actions.ts';
import type { GroupedRecord } from './group-records.ts';
import './record-outcome.css';
import './record-table.css';

interface RecordTableProps {
  readonly label: string;
  readonly records: readonly GroupedRecord[];
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
        idOf={({ entry }) => entry.id}
        onOpen={({ entry }) => onOpen(entry)}
        columns={[
          {
            id: 'time',
            title: t('label.time'),
            cell: ({ entry }) => <span className="record-table__time">{formatTime(entry.timestamp)}</span>,
          },
          {
            id: 'what',
            title: t('audit.column.what'),
            isText: true,
            isTitle: true,
            cell: (record) => <WhatHappened {...record} />,
          },
          {
            id: 'action',
            title: t('label.action'),
            cell: ({ entry }) => <code className="record-table__action">{visibleText(entry.action)}</code>,
          },
          { id: 'outcome', title: t('audit.column.outcome'), cell: ({ entry }) => <RecordOutcome record={entry} /> },
        ]}
      />
    </div>
  );
}

/** Characters of a statement in the list. */
const SQL_CHARACTERS = 200;

/** Returns the first line of a statement that is not empty and no comment; undefined without a statement. */
function firstLineOf(sql: unknown): string | undefined {
  if (typeof sql !== 'string') return undefined;
  const begin = sql.slice(0, 10 * SQL_CHARACTERS).split(/\r\n|\r|\n/);
  const line = begin.find((each) => each.trim() !== '' && !each.trimStart().startsWith('--')) ?? begin[0] ?? '';
  const isCut = line.length > SQL_CHARACTERS || sql.trim().length > line.trim().length;
  return `${line.trim().slice(0, SQL_CHARACTERS)}${isCut ? ' …' : ''}`;
}

function WhatHappened({ entry, isPart }: GroupedRecord) {
  const sql = firstLineOf(entry.metadata['sql']);
  return (
    <div className="record-table__what" data-part={isPart || undefined}>
      <RecordSentence record={entry} />
      {sql !== undefined && (
        <code className="record-table__sql">
          <VisibleText text={sql} />
        </code>
      )}
    </div>
  );
}

/** Sentence that says what a user did to which object. */
export function RecordSentence({ record }: { readonly record: DescribedRecord & Pick<AuditEntry, 'user' | 'target'> }) {
  const { t } = useTranslation();
  const { user, action, target } = record;
  const values = { user: visibleText(user), action: visibleText(action), target: visibleText(target) };
  return <bdi>{t(sentenceKey(record), values)}</bdi>;
}

type ShownRecord = Pick<AuditEntry, 'action' | 'metadata'>;

const STATES = {
  FINISHED: { tone: 'success', key: 'query-state.FINISHED' },
  FAILED: { tone: 'danger', key: 'query-state.FAILED' },
  CANCELLED: { tone: 'neutral', key: 'query-state.CANCELLED' },
  UNKNOWN: { tone: 'warning', key: 'query-state.UNKNOWN' },
} as const;
const LIMITED = { tone: 'warning', key: 'query-state.limited' } as const;

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
