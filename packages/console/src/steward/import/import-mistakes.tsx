import { useTranslation } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { FileMistake } from './file-source.ts';

/** Mistakes of a file that was not applied. */
export function ImportMistakes({ mistakes }: { readonly mistakes: readonly FileMistake[] }) {
  const { t } = useTranslation();
  return (
    <section className="metadata-import__mistakes" role="alert" aria-label={t('import.mistakes')}>
      <p className="metadata-import__title">
        <Icon name="error" />
        {t('import.mistakes.count', { count: mistakes.length })}
      </p>
      <ul>
        {mistakes.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <VisibleText text={`${path} ${message}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
