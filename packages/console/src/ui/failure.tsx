import { type ReactNode, useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import './problem.css';

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

interface ProblemProps {
  readonly title: string;
  /** One sentence: what is wrong and what to do. */
  readonly message: string;
  /** Id by which an operator finds the request in the log, with its label. */
  readonly reference?: { readonly label: string; readonly id: string } | undefined;
  /** Names of the copy button before and after it was used. */
  readonly copyLabels: readonly [copy: string, copied: string];
  /** Buttons, such as "Try again". */
  readonly children?: ReactNode;
}

/** A failure, announced at once. It can be copied with its reference, for a message to the operator. */
export function Problem({ title, message, reference, copyLabels: [copy, copied], children }: ProblemProps) {
  const [isCopied, setIsCopied] = useState(false);
  const text = [title, message, ...(reference === undefined ? [] : [`${reference.label}: ${reference.id}`])].join('\n');
  return (
    <div className="problem" role="alert">
      <Icon name="error" />
      <div className="problem__content">
        <p className="problem__title">{title}</p>
        <p className="problem__message">{message}</p>
        {reference !== undefined && (
          <p className="problem__reference">
            {reference.label}: <code>{reference.id}</code>
          </p>
        )}
      </div>
      <div className="problem__actions">
        {children}
        <Button
          size="s"
          icon={isCopied ? 'check' : 'copy'}
          onPress={async () => {
            await navigator.clipboard.writeText(text);
            setIsCopied(true);
          }}
        >
          {isCopied ? copied : copy}
        </Button>
      </div>
    </div>
  );
}
