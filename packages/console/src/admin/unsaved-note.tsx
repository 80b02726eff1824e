import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/layout.tsx';

interface UnsavedNoteProps {
  readonly isChanged: boolean;
  readonly onDiscard: () => void;
}

/** Says that fields are not saved yet, and offers to discard them. */
export function UnsavedNote({ isChanged, onDiscard }: UnsavedNoteProps) {
  const { t } = useTranslation();
  if (!isChanged) return null;
  return (
    <Note role="status">
      {t('admin.unsaved')}{' '}
      <Button size="s" onPress={onDiscard}>
        {t('admin.unsaved.discard')}
      </Button>
    </Note>
  );
}
