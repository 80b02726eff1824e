import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';

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
      <ConfirmDialog
        title={t('steward.edit.discard.title')}
        action={t('steward.edit.discard')}
        cancel={t('steward.edit.discard.keep')}
        isOpen={isAsking}
        onConfirm={onDiscard}
        onClose={() => setAsking(false)}
      >
        <p>{t('steward.edit.discard.about')}</p>
      </ConfirmDialog>
    </>
  );
}
