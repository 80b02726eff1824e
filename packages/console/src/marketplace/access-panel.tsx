import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { type AccessState, type MarketItem, mayRequest } from './access-state.ts';
import { AccessBadge } from './item-card.tsx';
import { Quote, RequestAccessDialog } from './request-access-dialog.tsx';
import type { KnownAccess } from './use-access.ts';
import './access-panel.css';

interface AccessPanelProps {
  readonly item: MarketItem;
  readonly access: KnownAccess;
  /** Download button, shown to those who have access. */
  readonly download: ReactNode;
}

/** Access of the user to an item: its state and end, and the next step, such as a request. An owner gets a link to open requests. */
export function AccessPanel({ item, access: { state, error, openRequests }, download }: AccessPanelProps) {
  const { t } = useTranslation();
  const [isRequesting, setRequesting] = useState(false);
  const hasAccess = state?.kind === 'granted' || state?.kind === 'owner';
  return (
    <section className="access-panel" aria-label={t('market.access.title')} aria-busy={state === undefined}>
      <div className="access-panel__head">
        <h2 className="access-panel__title">{t('market.access.title')}</h2>
        {state !== undefined && <AccessBadge access={state.kind} />}
      </div>
      <Failure error={error} />
      {state !== undefined && <AccessText state={state} />}
      {hasAccess && download}
      {state !== undefined && mayRequest(state) && (
        <Button kind="primary" onPress={() => setRequesting(true)}>
          {t(state.kind === 'none' ? 'market.request' : 'market.request.again')}
        </Button>
      )}
      {openRequests > 0 && <Link to="/requests">{t('market.open-requests', { count: openRequests })}</Link>}
      <RequestAccessDialog item={item} isOpen={isRequesting} onClose={() => setRequesting(false)} />
    </section>
  );
}

function AccessText({ state }: { readonly state: AccessState }) {
  const { t, formatTime } = useTranslation();
  switch (state.kind) {
    case 'owner':
      return <p>{t('market.access.owner.about')}</p>;
    case 'granted':
      return (
        <p>
          {state.untilTs === null
            ? t('market.access.granted.always')
            : t('market.access.granted.until', { time: formatTime(state.untilTs) })}
        </p>
      );
    case 'requested':
      return (
        <>
          <p>{t('market.access.requested.about', { time: formatTime(state.request.created_ts) })}</p>
          <Quote text={state.request.reason} />
        </>
      );
    case 'refused':
      return (
        <>
          <p>
            {t('market.access.refused.about', {
              time: formatTime(state.request.decided_ts ?? 0),
              by: state.request.decided_by ?? '',
            })}
          </p>
          {state.request.note === null ? (
            <p>{t('market.access.refused.no-note')}</p>
          ) : (
            <Quote text={state.request.note} />
          )}
        </>
      );
    case 'ended':
      return (
        <p>
          {state.isExpired
            ? t('market.access.ended.expired', { time: formatTime(state.request.expires_ts ?? 0) })
            : t('market.access.ended.revoked')}
        </p>
      );
    case 'none':
      return <p>{t('market.access.none.about')}</p>;
  }
}
