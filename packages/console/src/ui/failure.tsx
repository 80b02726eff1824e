import type { ReactNode } from 'react';
import { describeError } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Problem } from './problem.tsx';

/**
 * Shows what a call of the client threw, with its request id and a copy button; nothing if `error` is undefined. `children` are further
 * buttons.
 */
export function Failure({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
  const { t } = useTranslation();
  if (error === undefined) return null;
  const { title, message, requestId } = describeError(error, t);
  return (
    <Problem
      title={title}
      message={message}
      reference={requestId === undefined ? undefined : { label: t('label.request-id'), id: requestId }}
      copyLabels={[t('action.copy-details'), t('action.copied')]}
    >
      {children}
    </Problem>
  );
}
