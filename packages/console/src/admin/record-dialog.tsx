import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { type ReadOptions, readVersioned, type Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { type ShownOnce, ShownOnceDialog } from './shown-once-dialog.tsx';

/** A record with its entity tag, and what its dialog offers to the form. */
export interface OpenRecord<Value> {
  readonly record: Versioned<Value>;
  /** Reads the record again. Another version fills the form again. */
  readonly reload: () => void;
  /** Shows a secret once, in place of the form. */
  readonly show: (text: ShownOnce) => void;
}

interface RecordDialogProps<Value> {
  readonly title: string;
  /** Kind of the record, for the cache. */
  readonly kind: string;
  /** Undefined: the dialog is closed. */
  readonly id: string | object | undefined;
  readonly read: (options: ReadOptions & { readonly signal: AbortSignal }) => Promise<Value>;
  readonly onClose: () => void;
  readonly children: (open: OpenRecord<Value>) => ReactNode;
}

/** Dialog with one record of the administration, which is read when it opens. */
export function RecordDialog<Value>({ title, kind, id, read, onClose, children }: RecordDialogProps<Value>) {
  const query = useQuery({
    queryKey: QUERY_KEYS.adminRecord(kind, id),
    queryFn: ({ signal }) => readVersioned((options) => read({ signal, ...options })),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ShownOnceDialog title={title} isOpen={id !== undefined} onClose={onClose}>
      {(show) => (
        <Loaded query={query}>
          {(record) => (
            <Fragment key={record.entityTag}>{children({ record, reload: () => void query.refetch(), show })}</Fragment>
          )}
        </Loaded>
      )}
    </ShownOnceDialog>
  );
}

/** A step that takes something away, which the form asks about. */
interface Confirmation {
  /** Button that asks. */
  readonly label: string;
  /** Button that takes the step. */
  readonly action: string;
  readonly impact: ReactNode;
}

interface RecordFormProps<Step extends string> {
  /** Name of the record. Absent: it is in the fields, or above the form. */
  readonly heading?: ReactNode;
  /** Target of the audit records of the record, to which the heading has a link. */
  readonly target?: string;
  /** Losses of the change that is in the fields. */
  readonly impact: ReactNode;
  readonly confirmations: Readonly<Record<Step, Confirmation>>;
  /** Whether the fields can be saved. Default: true. */
  readonly isValid?: boolean;
  /** Saves the fields, or takes a confirmed step. */
  readonly send: (step: Step | 'change') => Promise<unknown>;
  readonly onDone: (step: Step | 'change') => void;
  /** Undefined: a new record. */
  readonly onReload?: (() => void) | undefined;
  readonly onClose: () => void;
  /** Fields of the record. */
  readonly children: (step: Step | 'change') => ReactNode;
}

/** Form of a record: its fields, what saving takes away, and buttons for the other steps, each with a confirmation. */
export function RecordForm<Step extends string>(props: RecordFormProps<Step>) {
  const { heading, target, impact, confirmations, isValid = true, send, onDone, onReload, onClose, children } = props;
  const { t } = useTranslation();
  const [step, setStep] = useState<Step | 'change'>('change');
  const { start, isRunning, failure } = useAction(send, {
    invalidates: [QUERY_KEYS.admin],
    onDone: ({ input }) => onDone(input),
  });
  const asked = step === 'change' ? undefined : confirmations[step];
  return (
    <Stack as="form" onSubmit={() => (asked !== undefined || isValid) && start(step)}>
      {heading !== undefined && (
        <p>
          {heading} <AuditLogLink search={{ target }} />
        </p>
      )}
      <Failure error={failure} onRetry={onReload} retryLabel={t('admin.reload')} />
      {children(step)}
      {asked === undefined ? impact : asked.impact}
      <DialogActions
        onCancel={asked === undefined ? onClose : () => setStep('change')}
        others={
          asked === undefined &&
          (Object.keys(confirmations) as Step[]).map((each) => (
            <Button key={each} kind="danger-quiet" onPress={() => setStep(each)}>
              {confirmations[each].label}
            </Button>
          ))
        }
      >
        <Button
          kind={asked === undefined ? 'primary' : 'danger'}
          type="submit"
          isDisabled={isRunning || (asked === undefined && !isValid)}
        >
          {asked?.action ?? t('action.save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
