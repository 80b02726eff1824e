import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { IdText } from '../ui/id-text.tsx';
import { Impact } from '../ui/impact.tsx';
import { Stack } from '../ui/layout.tsx';
import { draftOf, isComplete, isOtherProgram, lostScopes, type Program, programContent } from './program-draft.ts';
import { ProgramFields } from './program-fields.tsx';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { type ShownOnce, useSecretText } from './shown-once-dialog.tsx';

interface ProgramDialogProps {
  /** Id of the program; undefined: the dialog is closed. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** Dialog that changes a registered program and replaces its secret. */
export function ProgramDialog({ id, onClose }: ProgramDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  return (
    <RecordDialog
      title={t('admin.program.title')}
      kind="program"
      id={id}
      read={(options) => client.api.getOAuthClient({ params: { id: id ?? '' }, ...options })}
      onClose={onClose}
    >
      {(open) => {
        const { client_id: clientId, type } = open.record.value;
        return (
          <>
            <p>
              <strong>
                <IdText id={clientId} name={t('admin.service-account.client-id')} />
              </strong>{' '}
              {t(`admin.program.type.${type}`)} <AuditLogLink search={{ target: clientId }} />
            </p>
            {type === 'confidential' && <ReplaceSecret program={open.record.value} onReplaced={open.show} />}
            <ProgramForm {...open} onClose={onClose} />
          </>
        );
      }}
    </RecordDialog>
  );
}

type ProgramFormProps = Pick<ProgramDialogProps, 'onClose'> & OpenRecord<Program>;

function ProgramForm({ record, reload, onClose }: ProgramFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { value: before } = record;
  const { name, client_id: clientId, session_count: count } = before;
  const [draft, setDraft] = useState(() => draftOf(before));
  const options = { params: { id: before.id }, ...ifUnchanged(record) };
  const isNarrower = lostScopes(before, draft) !== undefined;
  return (
    <RecordForm
      isValid={isComplete(draft)}
      impact={
        <Impact
          losses={isNarrower ? [t('admin.impact.program-narrowed', { name })] : []}
          isChanged={isOtherProgram(before, draft)}
        />
      }
      confirmations={{
        delete: {
          label: t('action.delete-dialog'),
          action: t('admin.program.delete.now'),
          impact: <Impact losses={[t('admin.impact.program-deleted', { name, count })]} />,
        },
      }}
      send={(step): Promise<unknown> =>
        step === 'delete'
          ? client.api.deleteOAuthClient(options)
          : client.api.updateOAuthClient({ ...options, body: programContent(draft) })
      }
      onDone={(step) => {
        const action = step === 'delete' ? 'DELETE_OAUTH_CLIENT' : 'UPDATE_OAUTH_CLIENT';
        const text = t(step === 'delete' ? 'admin.user.deleted' : 'admin.user.changed', { email: name });
        notice(text, { action, target: clientId });
        onClose();
      }}
      onReload={reload}
      onClose={onClose}
    >
      {(step) => <ProgramFields draft={draft} isDisabled={step === 'delete'} onChange={setDraft} />}
    </RecordForm>
  );
}

interface ReplaceSecretProps {
  readonly program: Program;
  readonly onReplaced: (secret: ShownOnce) => void;
}

/** Button that replaces the secret of a program, after a confirmation. */
function ReplaceSecret({ program, onReplaced }: ReplaceSecretProps) {
  const { t } = useTranslation();
  const client = useClient();
  const secretText = useSecretText();
  const [isAsking, setAsking] = useState(false);
  const { start, isRunning, failure } = useAction(
    () => client.api.replaceOAuthClientSecret({ params: { id: program.id } }),
    {
      invalidates: [QUERY_KEYS.admin],
      onDone: ({ result }) => onReplaced(secretText(program.client_id, result.client_secret ?? '')),
    },
  );
  return (
    <Stack as="section" gap="s" label={t('label.client-secret')}>
      <Failure error={failure} />
      <Button size="s" kind={isAsking ? 'quiet' : 'danger-quiet'} onPress={() => setAsking(!isAsking)}>
        {t(isAsking ? 'admin.back' : 'admin.program.secret.replace')}
      </Button>
      {isAsking && (
        <Impact losses={[t('admin.impact.program-secret')]}>
          <Button kind="danger" size="s" isDisabled={isRunning} onPress={() => void start()}>
            {t('admin.program.secret.replace.now')}
          </Button>
        </Impact>
      )}
    </Stack>
  );
}
