import { useState } from 'react';
import { keepRequestId } from '../api/request-id.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import type { MarketItem } from './access-state.ts';
import { ItemChangeDialog } from './item-change-dialog.tsx';
import { useReread } from './use-market.ts';

interface DeleteItemProps {
  readonly item: MarketItem;
  readonly reread: () => Promise<unknown>;
  /** Called with the id of the request that deleted the item. */
  readonly onDeleted: (requestId: string) => void;
}

/** Button that deletes an item, after a question that says who loses it. */
export function DeleteItem({ item, reread, onDeleted }: DeleteItemProps) {
  const { t } = useTranslation();
  const client = useClient();
  const rereadMarket = useReread();
  const [isAsking, setAsking] = useState(false);
  const { start, isRunning, failure } = useAction(async () => {
    const sent = keepRequestId();
    try {
      await client.stream.deleteMarketplaceItem({
        params: { id: item.id },
        headers: { 'if-match': `"${item.version}"` },
        onResponse: sent.onResponse,
      });
    } catch (error) {
      await reread();
      throw error;
    }
    onDeleted(sent.id);
    rereadMarket();
  });
  return (
    <section className="item-form" aria-label={t('item.delete')}>
      <h2 className="item-form__section">{t('item.delete')}</h2>
      <Failure error={failure} />
      <div>
        <Button kind="danger" isDisabled={isRunning} onPress={() => setAsking(true)}>
          {t('item.delete')}
        </Button>
      </div>
      <ItemChangeDialog
        item={item}
        losses={undefined}
        isOpen={isAsking}
        onConfirm={() => void start()}
        onClose={() => setAsking(false)}
      />
    </section>
  );
}
