import { Component, type ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/failure.tsx';
import './notice.css';

interface NoticeProps {
  readonly title: string;
  /** Something is under way: the notice appears only if that takes a while. */
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
}

/** A page with one message, for times when there is nothing else to show. */
export function Notice({ title, isBusy = false, children }: NoticeProps) {
  return (
    <main className="notice" data-busy={isBusy || undefined}>
      <h1 className="notice__title">{title}</h1>
      {children}
    </main>
  );
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: unknown;
  readonly hasFailed: boolean;
}

/** Shows a sentence instead of a blank page when a page fails to load or to render. The navigation around it goes on working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { error, hasFailed } = this.state;
    return hasFailed ? <ErrorNotice error={error} /> : this.props.children;
  }
}

function ErrorNotice({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  return (
    <Notice title={t('error.page')}>
      <p>{t('error.page.message')}</p>
      <Problem title={t('error.other')} message={String(error)}>
        <Button size="s" onPress={() => location.reload()}>
          {t('action.reload')}
        </Button>
      </Problem>
    </Notice>
  );
}
