import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { itemPath } from '../router/object-paths.ts';
import { DataTable } from '../ui/data-table.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { accessOfRequest } from './access-state.ts';
import type { ListedRequest } from './decide-dialog.tsx';
import { AccessBadge } from './item-card.tsx';
import './request-table.css';

interface RequestTableProps {
  readonly label: string;
  readonly requests: readonly ListedRequest[];
  /** Shows who has asked; without it, all requests are the user's own. */
  readonly hasUser: boolean;
  readonly empty: ReactNode;
}

/** Requests with their state and decision. */
export function RequestTable({ label, requests, hasUser, empty }: RequestTableProps) {
  const { t, formatTime } = useTranslation();
  const user = {
    id: 'user',
    title: t('requests.column.user'),
    cell: (request: ListedRequest) => <VisibleText text={request.user} />,
  };
  return (
    <DataTable
      label={label}
      items={requests}
      idOf={({ request_id: id }) => id}
      empty={empty}
      columns={[
        {
          id: 'item',
          title: t('label.item'),
          cell: ({ item_id: id, item_title: title }) => (
            <Link to={itemPath(id)}>
              <VisibleText text={title} />
            </Link>
          ),
        },
        ...(hasUser ? [user] : []),
        {
          id: 'state',
          title: t('label.state'),
          cell: (request) => <AccessBadge access={accessOfRequest(request, Date.now())} />,
        },
        {
          id: 'reason',
          title: t('requests.column.reason'),
          isText: true,
          cell: ({ reason, created_ts: created }) => (
            <>
              <span className="request-table__text">
                <VisibleText text={reason} lines="preserve" />
              </span>
              <span className="request-table__time">{formatTime(created)}</span>
            </>
          ),
        },
        {
          id: 'decision',
          title: t('requests.column.decision'),
          isText: true,
          cell: (request) => <DecisionText request={request} />,
        },
      ]}
    />
  );
}

function DecisionText({ request }: { readonly request: ListedRequest }) {
  const { t, formatTime } = useTranslation();
  const { state, decided_ts: decided, decided_by: by, expires_ts: expires, note, item_owner: owner } = request;
  if (state === 'PENDING')
    return (
      <span className="request-table__time">
        {t('requests.waits-for')} <VisibleText text={owner} />
      </span>
    );
  return (
    <>
      {state === 'APPROVED' && (
        <span className="request-table__text">
          {expires === null
            ? t('requests.without-end')
            : t(expires > Date.now() ? 'requests.until' : 'requests.ended', { time: formatTime(expires) })}
        </span>
      )}
      {note !== null && (
        <span className="request-table__text">
          <VisibleText text={note} lines="preserve" />
        </span>
      )}
      <span className="request-table__time">
        {t('requests.decided', { by: visibleText(by ?? ''), time: formatTime(decided ?? 0) })}
      </span>
    </>
  );
}
