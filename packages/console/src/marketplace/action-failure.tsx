import { describeError } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Problem } from '../ui/problem.tsx';
import './action-failure.css';

/** Why the last request of a form failed. The form keeps what the user has written. */
export function ActionFailure({ failure }: { readonly failure: unknown }) {
  const { t } = useTranslation();
  if (failure === undefined) return null;
  const { title, message, requestId } = describeError(failure, t);
  return (
    <Problem
      title={title}
      message={message}
      reference={requestId === undefined ? undefined : { label: t('error.request-id'), id: requestId }}
      copyLabels={[t('action.copy-problem'), t('action.copied')]}
    />
  );
}
