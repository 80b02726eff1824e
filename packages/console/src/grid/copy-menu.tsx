import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { COPY_FORMATS, type CopyFormat } from './copy-formats.ts';

interface CopyMenuProps {
  readonly onCopy: (format: CopyFormat) => void;
  readonly isDisabled: boolean;
}

/** Menu that copies the selected cells in one of the formats. */
export function CopyMenu({ onCopy, isDisabled }: CopyMenuProps) {
  const { t } = useTranslation();
  const button = (
    <Button kind="quiet" size="s" icon="copy" isDisabled={isDisabled}>
      {t('action.copy')}
    </Button>
  );
  const actions = COPY_FORMATS.map((format) => ({
    id: format,
    label: t(`grid.copy-as.${format}`),
    onAction: () => onCopy(format),
  }));
  return <MenuButton label={t('action.copy')} button={button} actions={actions} />;
}
