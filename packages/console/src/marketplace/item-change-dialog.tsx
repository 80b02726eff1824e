import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Section } from '../ui/layout.tsx';
import type { MarketItem } from './access-state.ts';
import { endOf, type ItemGrant } from './grant-edits.ts';
import type { ItemLosses } from './item-losses.ts';
import { useItemGrants } from './use-grant-edits.ts';
import { useItemRequests } from './use-market.ts';

interface ItemChangeDialogProps {
  readonly item: MarketItem;
  /** Losses that a change causes. Undefined: the item is deleted. */
  readonly losses: ItemLosses | undefined;
  readonly isOpen: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an item is deleted, or changed so that programs that download it break. Says who is affected. */
export function ItemChangeDialog({ item, losses, isOpen, onConfirm, onClose }: ItemChangeDialogProps) {
  const { t } = useTranslation();
  const grants = useItemGrants(item.id, isOpen);
  const requests = useItemRequests(item.id, isOpen);
  const isDeletion = losses === undefined;
  const valid = (grants.data?.value ?? []).filter((grant) => endOf(grant) > Date.now());
  const pending = (requests.data ?? []).filter(({ state }) => state === 'PENDING');
  return (
    <ConfirmDialog
      title={t(isDeletion ? 'item.ask.delete' : 'item.ask.change')}
      action={t(isDeletion ? 'item.delete' : 'action.save')}
      cancel={t('action.cancel')}
      isOpen={isOpen}
      isWaiting={[grants, requests].some(({ data, error }) => data === undefined && error === null)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Failure error={grants.error ?? requests.error} />
      <Impact
        losses={
          isDeletion
            ? [
                t('item.impact.deleted'),
                ...(pending.length > 0 ? [t('item.impact.requests', { count: pending.length })] : []),
              ]
            : changeSentences(losses, t)
        }
      />
      <Recipients grants={valid} isDeletion={isDeletion} />
      <p>{t('item.impact.downloads', { count: item.download_count })}</p>
    </ConfirmDialog>
  );
}

/** Recipients that are named. The others are counted. */
const NAMED_MAX = 10;

interface RecipientsProps {
  readonly grants: readonly ItemGrant[];
  readonly isDeletion: boolean;
}

function Recipients({ grants, isDeletion }: RecipientsProps) {
  const { t } = useTranslation();
  if (grants.length === 0) return <p>{t('item.impact.recipients.none')}</p>;
  const names = grants.slice(0, NAMED_MAX).map(({ name }) => visibleText(name));
  return (
    <p>
      {t(isDeletion ? 'item.impact.recipients.deleted' : 'item.impact.recipients', { count: grants.length })}{' '}
      {names.join(', ')}
      {grants.length > NAMED_MAX && ', …'}
    </p>
  );
}

function changeSentences(
  { removed, renamed, parameters, becomes, owner }: ItemLosses,
  t: ReturnType<typeof useTranslation>['t'],
): readonly string[] {
  return [
    ...removed.map((name) => t('item.impact.removed', { name: visibleText(name) })),
    ...renamed.map(({ from, to }) => t('item.impact.renamed', { from: visibleText(from), to: visibleText(to) })),
    ...parameters.map((name) => t('item.impact.parameter', { name })),
    ...(owner === undefined ? [] : [t('item.impact.owner', { name: visibleText(owner) })]),
    ...(becomes === undefined ? [] : [t(`item.impact.becomes.${becomes}`)]),
  ];
}

interface DeleteItemProps {
  readonly item: MarketItem;
  readonly refetch: () => Promise<unknown>;
  /** Called with the id of the request that deleted the item. */
  readonly onDeleted: (requestId: string) => void;
}

/** Button that deletes an item, after a question that says who loses it. */
export function DeleteItem({ item, refetch, onDeleted }: DeleteItemProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { start, isRunning, failure } = useAction<void>(
    (_, options) =>
      client.stream
        .deleteMarketplaceItem({ params: { id: item.id }, headers: { 'if-match': `"${item.version}"` }, ...options })
        .catch(async (error: unknown) => {
          await refetch();
          throw error;
        }),
    { invalidates: [QUERY_KEYS.market], onDone: ({ requestId }) => onDeleted(requestId) },
  );
  return (
    <Section title={t('item.delete')} width="text">
      <Failure error={failure} />
      <Button kind="danger" isDisabled={isRunning} onPress={() => setAsking(true)}>
        {t('item.delete')}
      </Button>
      <ItemChangeDialog
        item={item}
        losses={undefined}
        isOpen={isAsking}
        onConfirm={() => void start()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
