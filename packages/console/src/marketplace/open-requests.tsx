import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { itemPath } from '../router/object-paths.ts';
import { Button } from '../ui/button.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import type { Decision, ListedRequest } from './decide-dialog.tsx';
import './open-requests.css';

interface OpenRequestsProps {
  readonly requests: readonly ListedRequest[];
  readonly onDecide: (decision: Decision) => void;
}

/** Keys of the list, besides the arrows. */
export const DECISION_KEYS = { approve: 'A', refuse: 'R' } as const;

/**
 * Requests that wait for the user's decision. Tab and the arrow keys move between them; A approves and R refuses the one with the focus.
 */
export function OpenRequests({ requests, onDecide }: OpenRequestsProps) {
  const { t, formatTime } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const onKeyDown = (event: KeyboardEvent, request: ListedRequest, index: number): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const verdict = (['approve', 'refuse'] as const).find((each) => DECISION_KEYS[each] === event.key.toUpperCase());
    if (step === undefined && verdict === undefined) return;
    event.preventDefault();
    if (verdict !== undefined) onDecide({ verdict, request });
    else list.current?.children[index + (step ?? 0)]?.querySelector('button')?.focus();
  };
  return (
    <ul ref={list} className="open-requests" aria-label={t('requests.open')}>
      {requests.map((request, index) => (
        <li key={request.request_id}>
          <article
            className="open-request"
            aria-label={t('requests.one', {
              user: visibleText(request.user),
              title: visibleText(request.item_title),
            })}
            onKeyDown={(event) => onKeyDown(event, request, index)}
          >
            <div className="open-request__content">
              <p className="open-request__who">
                <strong>
                  <VisibleText text={request.user} />
                </strong>
                <span className="open-request__time">{formatTime(request.created_ts)}</span>
              </p>
              <p>
                <Link to={itemPath(request.item_id)}>
                  <VisibleText text={request.item_title} />
                </Link>
              </p>
              <p className="open-request__reason">
                <VisibleText text={request.reason} lines="preserve" />
              </p>
            </div>
            <div className="open-request__actions">
              <Button
                kind="primary"
                size="s"
                icon="check"
                shortcut={DECISION_KEYS.approve}
                onPress={() => onDecide({ verdict: 'approve', request })}
              >
                {t('requests.approve')}
              </Button>
              <Button
                size="s"
                icon="close"
                shortcut={DECISION_KEYS.refuse}
                onPress={() => onDecide({ verdict: 'refuse', request })}
              >
                {t('requests.refuse')}
              </Button>
            </div>
          </article>
        </li>
      ))}
    </ul>
  );
}
