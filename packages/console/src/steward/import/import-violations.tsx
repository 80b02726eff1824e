import { useTranslation } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { FileViolation } from './file-source.ts';

/** Violations of a file that was not applied. */
export function ImportViolations({ violations }: { readonly violations: readonly FileViolation[] }) {
  const { t } = useTranslation();
  return (
    <section className="metadata-import__violations" role="alert" aria-label={t('import.violations')}>
      <p className="metadata-import__title">
        <Icon name="error" />
        {t('import.violations.count', { count: violations.length })}
      </p>
      <ul>
        {violations.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <VisibleText text={`${path} ${message}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
