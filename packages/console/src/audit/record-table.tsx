import type { AuditEntry } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { DataTable } from '../ui/data-table.tsx';
import { RecordOutcome } from './record-outcome.tsx';
import { RecordSentence } from './record-sentence.tsx';
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
