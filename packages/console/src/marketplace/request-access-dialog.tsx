import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { notify } from '../ui/notifications.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import type { MarketItem } from './access-state.ts';
import './quote.css';

/** Longest reason and note that the host accepts, in characters. */
export const REASON_MAX = 2_000;

interface RequestAccessDialogProps {
  readonly item: Pick<MarketItem, 'id' | 'title' | 'owner'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that asks the owner of an item for access. */
export function RequestAccessDialog({ item, isOpen, onClose }: RequestAccessDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('market.request')} isOpen={isOpen} onClose={onClose}>
      {isOpen && <RequestAccessForm item={item} onClose={onClose} />}
    </Dialog>
  );
}

function RequestAccessForm({ item, onClose }: Omit<RequestAccessDialogProps, 'isOpen'>) {
  const { t } = useTranslation();
  const client = useClient();
  const [reason, setReason] = useState('');
  const isComplete = reason.trim() !== '';
  const { start, isRunning, failure } = useAction(
    () => client.stream.requestMarketplaceAccess({ params: { id: item.id }, body: { reason } }),
    {
      // Also after a failure: the request may have arrived, or another tab has sent one.
      invalidates: [QUERY_KEYS.market],
      onDone() {
        notify({ tone: 'success', text: t('market.request.sent', { owner: visibleText(item.owner) }) });
        onClose();
      },
    },
  );
  return (
    <Stack as="form" onSubmit={() => isComplete && start()}>
      <p>{t('market.request.about', { owner: visibleText(item.owner), title: visibleText(item.title) })}</p>
      <Failure error={failure} />
      <TextField
        label={t('market.request.reason')}
        description={t('market.request.reason.about')}
        value={reason}
        onChange={setReason}
        lines={4}
        maxLength={REASON_MAX}
        isRequired
        autoFocus
      />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isDisabled={isRunning || !isComplete}>
          {t('market.request.send')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

/** Block quote of a user's text, such as the reason of a request. Line breaks are kept. */
export function Quote({ text }: { readonly text: string }) {
  return (
    <blockquote className="quote">
      <VisibleText text={text} lines="preserve" />
    </blockquote>
  );
}
