import type { StreamOperationTypes } from '@sluice/client';
import { type FormEvent, useState } from 'react';
import { keepRequestId } from '../api/request-id.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Quote, REASON_MAX } from './request-access-dialog.tsx';
import { useReread } from './use-market.ts';

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
          <p className="dialog-form">
            {t('requests.decide.about', {
              user: visibleText(decision.request.user),
              title: visibleText(decision.request.item_title),
            })}
          </p>
          <Quote text={decision.request.reason} />
          {decision.verdict === 'approve' ? (
            <ApproveForm request={decision.request} onClose={onClose} onDecided={onDecided} />
          ) : (
            <RefuseForm request={decision.request} onClose={onClose} onDecided={onDecided} />
          )}
        </>
      )}
    </Dialog>
  );
}

interface DecisionFormProps extends Pick<DecideDialogProps, 'onClose' | 'onDecided'> {
  readonly request: ListedRequest;
}

function ApproveForm({ request, onClose, onDecided }: DecisionFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useReread();
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const [sent] = useState(keepRequestId);
  const { start, isRunning, failure } = useAction<number | null>(async (end) => {
    const params = { id: request.item_id, request_id: request.request_id };
    try {
      await client.stream.approveMarketplaceAccess({ params, body: { expires_ts: end }, onResponse: sent.onResponse });
    } finally {
      // Also after a failure: another owner may have decided.
      reread();
    }
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (expiresTs === undefined || !(await start(expiresTs))) return;
    onDecided(t('requests.approved', { user: visibleText(request.user) }), sent.id);
    onClose();
  };
  return (
    <form className="dialog-form" onSubmit={(event) => void submit(event)}>
      <Failure error={failure} />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="primary" type="submit" isDisabled={isRunning || expiresTs === undefined}>
          {t('requests.approve')}
        </Button>
      </DialogActions>
    </form>
  );
}

function RefuseForm({ request, onClose, onDecided }: DecisionFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useReread();
  const [note, setNote] = useState('');
  const [sent] = useState(keepRequestId);
  const { start, isRunning, failure } = useAction<string>(async (text) => {
    const params = { id: request.item_id, request_id: request.request_id };
    try {
      await client.stream.refuseMarketplaceAccess({ params, body: { note: text }, onResponse: sent.onResponse });
    } finally {
      reread();
    }
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (note.trim() === '' || !(await start(note))) return;
    onDecided(t('requests.refused', { user: visibleText(request.user) }), sent.id);
    onClose();
  };
  return (
    <form className="dialog-form" onSubmit={(event) => void submit(event)}>
      <Failure error={failure} />
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
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="danger" type="submit" isDisabled={isRunning || note.trim() === ''}>
          {t('requests.refuse')}
        </Button>
      </DialogActions>
    </form>
  );
}
