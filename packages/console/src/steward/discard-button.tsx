import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

interface DiscardButtonProps {
  /** Whether there is something to lose: then the button asks first. */
  readonly hasEdits: boolean;
  readonly isDisabled: boolean;
  readonly onDiscard: () => void;
}

/** Button that closes a form. What was typed is discarded only after a question. */
export function DiscardButton({ hasEdits, isDisabled, onDiscard }: DiscardButtonProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button isDisabled={isDisabled} onPress={() => (hasEdits ? setAsking(true) : onDiscard())}>
        {t(hasEdits ? 'steward.edit.discard' : 'action.close')}
      </Button>
      <Dialog
        role="alertdialog"
        title={t('steward.edit.discard.title')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <p>{t('steward.edit.discard.about')}</p>
        <DialogActions>
          <Button onPress={() => setAsking(false)}>{t('steward.edit.discard.keep')}</Button>
          <Button kind="danger" onPress={onDiscard}>
            {t('steward.edit.discard')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
