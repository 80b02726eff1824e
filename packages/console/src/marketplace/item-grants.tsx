import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keepRequestId } from '../api/request-id.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import {
  applyGrantEdits,
  endOf,
  type GrantEdits,
  type ItemGrant,
  isGrantConflict,
  lossesOfGrants,
  NO_GRANT_EDITS,
  recipientOf,
  withGrant,
  withoutGrant,
} from './grant-edits.ts';
import { NewGrant } from './new-grant.tsx';
import { itemGrantsKey, useItemGrants } from './use-item-grants.ts';
import './item-form.css';

interface ItemGrantsProps {
  readonly id: string;
  /** Called with the id of the request that stored the grants. */
  readonly onSaved: (requestId: string) => void;
}

/** Who may download an item, to change. Says who loses access before it is saved. */
export function ItemGrants({ id, onSaved }: ItemGrantsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { data: stored, error, refetch } = useItemGrants(id);
  const [edits, setEdits] = useState<GrantEdits>(NO_GRANT_EDITS);
  const { start, isRunning, failure } = useAction(async () => {
    // The host replaces all grants at once: those that others have added meanwhile, such as approvals, stay.
    const { grants: current } = await client.stream.getMarketplaceGrants({ params: { id } });
    if (isGrantConflict(edits, stored ?? [], current)) {
      await refetch();
      throw new Error(t('item.grants.changed'));
    }
    const sent = keepRequestId();
    const result = await client.stream.putMarketplaceGrants({
      params: { id },
      body: { grants: [...applyGrantEdits(current, edits)] },
      onResponse: sent.onResponse,
    });
    queries.setQueryData(itemGrantsKey(id), result.grants);
    setEdits(NO_GRANT_EDITS);
    onSaved(sent.id);
  });
  if (stored === undefined) return <Failure error={error ?? undefined} />;
  const hasEdits = edits.removed.length + Object.keys(edits.given).length > 0;
  return (
    <section className="item-form" aria-label={t('item.grants')}>
      <h2 className="item-form__section">{t('item.grants')}</h2>
      <p className="item-form__about">{t('item.grants.about')}</p>
      <Failure error={failure} />
      <GrantTable
        grants={applyGrantEdits(stored, edits)}
        onRemove={(grant) => setEdits(withoutGrant(edits, stored, recipientOf(grant)))}
      />
      <NewGrant onAdd={(grant) => setEdits(withGrant(edits, grant))} />
      <GrantLosses stored={stored} edits={edits} />
      {hasEdits && (
        <div className="item-form__row">
          <Button kind="primary" isDisabled={isRunning} onPress={() => void start()}>
            {t('item.grants.save')}
          </Button>
          <Button isDisabled={isRunning} onPress={() => setEdits(NO_GRANT_EDITS)}>
            {t('item.grants.reset')}
          </Button>
        </div>
      )}
    </section>
  );
}

function GrantLosses({ stored, edits }: { readonly stored: readonly ItemGrant[]; readonly edits: GrantEdits }) {
  const { t, formatTime } = useTranslation();
  const { removed, sooner } = lossesOfGrants(stored, edits, Date.now());
  const losses = [
    ...removed.map(({ kind, name }) => t(`item.impact.grant.${kind}`, { name: visibleText(name) })),
    ...sooner.map(({ name, expires_ts: end }) =>
      t('item.impact.grant-sooner', { name: visibleText(name), time: formatTime(end ?? 0) }),
    ),
  ];
  return losses.length === 0 ? null : <Impact losses={losses} />;
}

interface GrantTableProps {
  readonly grants: readonly ItemGrant[];
  readonly onRemove: (grant: ItemGrant) => void;
}

function GrantTable({ grants, onRemove }: GrantTableProps) {
  const { t, formatTime } = useTranslation();
  return (
    <DataTable
      label={t('item.grants')}
      items={grants}
      idOf={recipientOf}
      empty={<p className="item-form__none">{t('item.grants.none')}</p>}
      columns={[
        { id: 'name', title: t('item.grants.name'), cell: ({ name }) => <VisibleText text={name} /> },
        { id: 'kind', title: t('item.grants.kind'), cell: ({ kind }) => t(`item.grants.kind.${kind}`) },
        {
          id: 'end',
          title: t('expiry'),
          cell: (grant) => (
            <>
              {grant.expires_ts == null ? t('expiry.never') : formatTime(grant.expires_ts)}{' '}
              {endOf(grant) <= Date.now() && <Badge tone="danger">{t('item.grants.ended')}</Badge>}
            </>
          ),
        },
        {
          id: 'remove',
          title: t('item.grants.actions'),
          cell: (grant) => (
            <Button
              size="s"
              aria-label={t('item.grants.remove', { name: visibleText(grant.name) })}
              onPress={() => onRemove(grant)}
            >
              {t('item.grants.remove.short')}
            </Button>
          ),
        },
      ]}
    />
  );
}
