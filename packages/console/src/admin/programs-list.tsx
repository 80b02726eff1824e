import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type ListState, useListState } from '../router/query-parameters.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { IdText } from '../ui/id-text.tsx';
import { Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import { ProgramDialog } from './program-dialog.tsx';
import { EMPTY_PROGRAM, isComplete, type ProgramDraft, programContent } from './program-draft.ts';
import { ProgramFields } from './program-fields.tsx';
import { ProgramSettingsForm } from './program-settings-form.tsx';
import { RecordList } from './record-list.tsx';
import { type ShownOnce, ShownOnceDialog, useSecretText } from './shown-once-dialog.tsx';
import { ACCOUNT_PAGE_SIZE } from './use-admin.ts';

const CLIENT_ID_MAX = 100;
const SEARCH_MAX = 100;

/** Returns a page of the registered programs whose client id or name has these words. */
function usePrograms({ searchText, from }: Pick<ListState, 'searchText' | 'from'>) {
  const client = useClient();
  const query = { ...(searchText === '' ? {} : { q: searchText }), from, size: ACCOUNT_PAGE_SIZE };
  return useQuery({
    queryKey: QUERY_KEYS.adminList('programs', query),
    queryFn: ({ signal }) => client.api.listOAuthClients({ query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Programs that users can let log in: search, register, change, and their secrets. */
export function ProgramsList() {
  const { t } = useTranslation();
  const state = useListState();
  const [isCreating, setCreating] = useState(false);
  const [openId, setOpenId] = useState<string>();
  return (
    <RecordList
      state={state}
      page={usePrograms(state)}
      search={{ label: t('admin.programs.search'), maxLength: SEARCH_MAX }}
      newLabel={t('admin.program.new')}
      onNew={() => setCreating(true)}
      label={t('admin.programs')}
      idOf={({ id }) => id}
      onOpen={({ id }) => setOpenId(id)}
      empty={<EmptyState icon="code" title={t('admin.programs.none')} />}
      columns={[
        {
          id: 'client',
          title: t('admin.service-account.client-id'),
          cell: ({ client_id: id }) => <IdText id={id} name={t('admin.service-account.client-id')} />,
        },
        { id: 'name', title: t('admin.program.name'), cell: ({ name }) => visibleText(name) },
        { id: 'type', title: t('admin.program.type'), cell: ({ type }) => t(`admin.program.type.${type}`) },
        {
          id: 'scopes',
          title: t('admin.program.scopes'),
          cell: ({ scopes }) => scopes?.join(', ') ?? t('admin.program.scopes.all'),
        },
        { id: 'sessions', title: t('admin.sessions'), cell: ({ session_count: count }) => count },
      ]}
      pages={{ label: t('admin.programs.pages'), size: ACCOUNT_PAGE_SIZE }}
    >
      <ShownOnceDialog title={t('admin.program.new')} isOpen={isCreating} onClose={() => setCreating(false)}>
        {(show) => <NewProgramForm onShow={show} onClose={() => setCreating(false)} />}
      </ShownOnceDialog>
      <ProgramDialog id={openId} onClose={() => setOpenId(undefined)} />
      <ProgramSettingsForm />
    </RecordList>
  );
}

interface NewProgramFormProps {
  /** Shows the secret of a confidential program once. */
  readonly onShow: (secret: ShownOnce) => void;
  readonly onClose: () => void;
}

function NewProgramForm({ onShow, onClose }: NewProgramFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const secretText = useSecretText();
  const [clientId, setClientId] = useState('');
  const [isConfidential, setConfidential] = useState(false);
  const [draft, setDraft] = useState<ProgramDraft>(EMPTY_PROGRAM);
  const id = clientId.trim();
  const { start, isRunning, failure } = useAction(
    () =>
      client.api.createOAuthClient({
        body: { client_id: id, type: isConfidential ? 'confidential' : 'public', ...programContent(draft) },
      }),
    {
      invalidates: [QUERY_KEYS.admin],
      onDone({ result: { client_secret: secret } }) {
        if (secret === null) onClose();
        else onShow(secretText(id, secret));
      },
    },
  );
  const isValid = id !== '' && isComplete(draft);
  return (
    <Stack as="form" onSubmit={() => isValid && start()}>
      <Failure error={failure} />
      <TextField
        label={t('admin.service-account.client-id')}
        description={t('admin.service-account.client-id.about')}
        value={clientId}
        maxLength={CLIENT_ID_MAX}
        onChange={setClientId}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <ProgramFields draft={draft} onChange={setDraft} />
      <Checkbox
        label={t('admin.program.confidential')}
        description={t('admin.program.confidential.about')}
        isSelected={isConfidential}
        onChange={setConfidential}
      />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isDisabled={isRunning || !isValid}>
          {t('admin.program.register')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
