import type { ReactNode } from 'react';
import { isNotFound } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

interface ObjectUnavailableProps {
  readonly error: unknown;
  /** Title of the tab: the name of the object. */
  readonly title: string;
  /** Sentence for an object that does not exist for the user, because it was removed or belongs to another tenant. */
  readonly missing: string;
  readonly breadcrumbs: ReactNode;
  readonly onRetry: () => unknown;
}

/** Page for an object that does not exist or cannot be read. */
export function ObjectUnavailable({ error, title, missing, breadcrumbs, onRetry }: ObjectUnavailableProps) {
  const { t } = useTranslation();
  const isMissing = isNotFound(error);
  const heading = t(isMissing ? 'error.not_found' : 'error.other');
  return (
    <Page title={heading} tabTitle={title} isTitleHidden breadcrumbs={breadcrumbs}>
      {isMissing ? (
        <EmptyState icon="search" title={heading} message={missing}>
          <Link to="/search">{t('object.find-another')}</Link>
        </EmptyState>
      ) : (
        <Failure error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}
