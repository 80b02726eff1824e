import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Problem } from '../ui/failure.tsx';
import { isPageFailure } from './download-failure.ts';
import type { DownloadSnapshot } from './download-state.ts';

interface DownloadProblemProps {
  readonly download: DownloadSnapshot;
  /** Buttons, such as "Try again". */
  readonly children: ReactNode;
}

/** Reason that a download failed, with its code and the id by which an operator finds it. */
export function DownloadProblem({ download: { failure, queryId }, children }: DownloadProblemProps) {
  const { t } = useTranslation();
  if (failure === undefined) return null;
  const { code, message, requestId } = failure;
  const sentence = (): string => {
    if (isPageFailure(code)) return t(`downloads.failure.${code}`);
    return code === 'connection_failed' ? t('error.check-network') : message;
  };
  const label = t(requestId === undefined ? 'label.query-id' : 'label.request-id');
  const id = requestId ?? queryId;
  const lines = [sentence(), ...(queryId === undefined ? [] : [t('downloads.failure.file')])];
  return (
    <Problem title={code} message={lines.join('\n')} reference={id === undefined ? undefined : { label, id }}>
      {children}
    </Problem>
  );
}
