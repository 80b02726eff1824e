import type { ReactNode } from 'react';
import { isNotFound } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';

interface ObjectUnavailableProps {
  readonly error: unknown;
  /** Sentence for an object that does not exist for the user, because it was removed or belongs to another tenant. */
  readonly missing: string;
  readonly trail?: ReactNode;
  readonly onRetry: () => void;
}

/** Page for an object that does not exist or cannot be read. */
export function ObjectUnavailable({ error, missing, trail, onRetry }: ObjectUnavailableProps) {
  const { t } = useTranslation();
  return (
    <main className="object-page">
      {trail}
      {isNotFound(error) ? (
        <>
          <h1 className="visually-hidden">{t('error.not_found')}</h1>
          <EmptyState icon="search" title={t('error.not_found')} message={missing}>
            <Link to="/search">{t('object.find-another')}</Link>
          </EmptyState>
        </>
      ) : (
        <>
          <h1 className="visually-hidden">{t('error.other')}</h1>
          <Failure error={error}>
            <Button size="s" onPress={onRetry}>
              {t('action.retry')}
            </Button>
          </Failure>
        </>
      )}
    </main>
  );
}
