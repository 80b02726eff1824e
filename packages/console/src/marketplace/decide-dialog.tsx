import type { StreamOperationTypes } from '@sluice/client';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Quote, REASON_MAX } from './request-access-dialog.tsx';

export type ListedRequest = StreamOperationTypes['listAccessRequests']['result']['data'][number];

/** A decision that the user is about to take. */
export interface Decision {
  readonly verdict: 'approve' | 'refuse';
  readonly request: ListedRequest;
}

interface DecideDialogProps {
  /** Undefined: the dialog is closed. */
  readonly decision: Decision | undefined;
  readonly onClose: () => void;
  /** Called with a sentence about the decision, and the id of the request that stored it. */
  readonly onDecided: (text: string, requestId: string) => void;
}

/** Dialog in which an owner approves a request until a date, or refuses it with a reason. */
export function DecideDialog({ decision, onClose, onDecided }: DecideDialogProps) {
  const { t } = useTranslation();
  const title = t(decision?.verdict === 'refuse' ? 'requests.refuse.title' : 'requests.approve.title');
  return (
    <Dialog title={title} isOpen={decision !== undefined} onClose={onClose}>
      {decision !== undefined && (
        <>
          <p>
            {t('requests.decide.about', {
              user: visibleText(decision.request.user),
              title: visibleText(decision.request.item_title),
            })}
          </p>
          <Quote text={decision.request.reason} />
          <DecisionForm decision={decision} onClose={onClose} onDecided={onDecided} />
        </>
      )}
    </Dialog>
  );
}

interface DecisionFormProps extends Pick<DecideDialogProps, 'onClose' | 'onDecided'> {
  readonly decision: Decision;
}

function DecisionForm({ decision: { verdict, request }, onClose, onDecided }: DecisionFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const [note, setNote] = useState('');
  const isApproval = verdict === 'approve';
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const isComplete = isApproval ? expiresTs !== undefined : note.trim() !== '';
  const { start, isRunning, failure } = useAction<void>(
    (_, options) => {
      const params = { id: request.item_id, request_id: request.request_id };
      return isApproval
        ? client.stream.approveMarketplaceAccess({ params, body: { expires_ts: expiresTs ?? null }, ...options })
        : client.stream.refuseMarketplaceAccess({ params, body: { note }, ...options });
    },
    {
      // Also after a failure: another owner may have decided.
      invalidates: [QUERY_KEYS.market],
      onDone({ requestId }) {
        onDecided(
          t(isApproval ? 'requests.approved' : 'requests.refused', { user: visibleText(request.user) }),
          requestId,
        );
        onClose();
      },
    },
  );
  return (
    <Stack as="form" onSubmit={() => isComplete && start()}>
      <Failure error={failure} />
      {isApproval ? (
        <ExpiryField value={expiry} onChange={setExpiry} />
      ) : (
        <TextField
          label={t('requests.note')}
          description={t('requests.note.about')}
          value={note}
          onChange={setNote}
          lines={3}
          maxLength={REASON_MAX}
          isRequired
          autoFocus
        />
      )}
      <DialogActions onCancel={onClose}>
        <Button kind={isApproval ? 'primary' : 'danger'} type="submit" isDisabled={isRunning || !isComplete}>
          {t(`requests.${verdict}`)}
        </Button>
      </DialogActions>
    </Stack>
  );
}
