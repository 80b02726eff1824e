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

interface PageFaultProps {
  readonly children: ReactNode;
}

interface PageFaultState {
  readonly error: unknown;
  readonly hasFailed: boolean;
}

/** Shows a sentence instead of a blank page when a page fails to load or to render. The navigation around it goes on working. */
export class PageFault extends Component<PageFaultProps, PageFaultState> {
  override state: PageFaultState = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): PageFaultState {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { error, hasFailed } = this.state;
    return hasFailed ? <FaultNotice error={error} /> : this.props.children;
  }
}

function FaultNotice({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  return (
    <Notice title={t('error.page')}>
      <p>{t('error.page.message')}</p>
      <Problem
        title={t('error.other')}
        message={String(error)}
        copyLabels={[t('action.copy-details'), t('action.copied')]}
      >
        <Button size="s" onPress={() => location.reload()}>
          {t('action.reload')}
        </Button>
      </Problem>
    </Notice>
  );
}
