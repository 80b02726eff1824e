import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { CopyButton } from './copy-button.tsx';
import './id-text.css';

interface IdTextProps {
  readonly id: string;
  /** Name of the id, such as "Query ID", for the button that copies it. */
  readonly name: string;
}

/** An id or a digest, with a button that copies it. */
export function IdText({ id, name }: IdTextProps) {
  const { t } = useTranslation();
  return (
    <span className="id-text">
      <code>{visibleText(id)}</code>
      <CopyButton text={id} label={t('action.copy-named', { name })} />
    </span>
  );
}
