import { type ReactNode, useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useClipboard } from './use-clipboard.ts';
import './problem.css';

interface FailureProps {
  /** Error that a call of the client threw. Undefined or null: nothing is shown. */
  readonly error: unknown;
  /** Sends the request again. */
  readonly onRetry?: (() => unknown) | undefined;
  /** Name of the button that calls `onRetry`. Default: "Try again". */
  readonly retryLabel?: string;
  /** Returns the sentence that is shown for that of the host. Default: the same. */
  readonly describe?: (message: string) => string;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Shows what a call of the client threw, with its request id, a copy button and a way to try again. */
export function Failure({ error, onRetry, retryLabel, describe = String, children }: FailureProps) {
  const { t } = useTranslation();
  if (error === undefined || error === null) return null;
  const { title, message, requestId } = describeError(error, t);
  return (
    <Problem
      title={title}
      message={describe(message)}
      reference={requestId === undefined ? undefined : { label: t('label.request-id'), id: requestId }}
    >
      {onRetry !== undefined && (
        <Button size="s" onPress={() => void onRetry()}>
          {retryLabel ?? t('action.retry')}
        </Button>
      )}
      {children}
    </Problem>
  );
}

/** A response as TanStack Query has it. */
interface QueryState<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

interface LoadedProps<Data> {
  readonly query: QueryState<Data>;
  /** Shown until the first response has arrived. Default: nothing. */
  readonly waiting?: ReactNode;
  /** Shows the response. It stays when a later read fails, below the failure. */
  readonly children: (data: Data) => ReactNode;
}

/** Shows a response, that it has not arrived, or why it cannot be read, with a way to try again. */
export function Loaded<Data>({ query: { data, error, refetch }, waiting = null, children }: LoadedProps<Data>) {
  return (
    <>
      <Failure error={error} onRetry={refetch} />
      {data !== undefined ? children(data) : error === null && waiting}
    </>
  );
}

interface ProblemProps {
  readonly title: string;
  /** One sentence: what is wrong and what to do. */
  readonly message: string;
  /** Id by which an operator finds the request in the log, with its label. */
  readonly reference?: { readonly label: string; readonly id: string } | undefined;
  /** Buttons, such as "Try again". */
  readonly children?: ReactNode;
}

/** A failure, announced immediately. It can be copied with its reference, for a message to the operator. */
export function Problem({ title, message, reference, children }: ProblemProps) {
  const { t } = useTranslation();
  const copy = useClipboard();
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
            if (await copy(text)) setIsCopied(true);
          }}
        >
          {t(isCopied ? 'action.copied' : 'action.copy-details')}
        </Button>
      </div>
    </div>
  );
}
