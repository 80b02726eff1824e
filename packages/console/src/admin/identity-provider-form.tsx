import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isNotFound } from '../api/describe-error.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, readVersioned, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { DeleteProviderDialog } from './delete-provider-dialog.tsx';
import { draftOf, type IdentityProvider, providerBody } from './provider-draft.ts';
import { ProviderFacts } from './provider-facts.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { ProviderImpact } from './provider-impact.tsx';
import { TestLogin } from './test-login.tsx';
import { UnsavedNote } from './unsaved-note.tsx';
import { useRoles } from './use-admin.ts';
import { useChangeNotice } from './use-change-notice.ts';
import { useKeptEdit } from './use-kept-edit.ts';
import './admin-list.css';

/** The identity provider of the tenant: who signs in with it, and which roles its groups give. */
export function IdentityProviderForm() {
  const { t } = useTranslation();
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['admin-identity-provider'],
    queryFn: ({ signal }): Promise<Versioned<IdentityProvider | undefined>> =>
      readVersioned((options) => client.api.getIdentityProvider({ signal, ...options })).catch((thrown: unknown) => {
        if (isNotFound(thrown)) return { value: undefined, entityTag: undefined };
        throw thrown;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const reload = () => void refetch();
  return (
    <div className="admin-list">
      {error !== null && (
        <Failure error={error}>
          <Button size="s" onPress={reload}>
            {t('action.retry')}
          </Button>
        </Failure>
      )}
      {/* Another version fills the form again. */}
      {data !== undefined && <ProviderForm key={data.entityTag ?? ''} provider={data} onReload={reload} />}
    </div>
  );
}

interface ProviderFormProps {
  readonly provider: Versioned<IdentityProvider | undefined>;
  readonly onReload: () => void;
}

function ProviderForm({ provider, onReload }: ProviderFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const roles = useRoles().data ?? [];
  const { base, draft, isChanged, change, discard, forget } = useKeptEdit('identity provider', provider, draftOf);
  const before = base.value;
  const [isDeleting, setDeleting] = useState(false);
  const { start, isRunning, failure } = useAction(async () => {
    await client.api.putIdentityProvider({ body: providerBody(draft), ...ifUnchanged(base) });
  });
  const isComplete = [draft.issuer, draft.clientId, draft.emailClaim].every((text) => text.trim() !== '');
  const reload = () => {
    forget();
    onReload();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || !(await start())) return;
    notice(t('admin.provider.saved'), { action: 'UPDATE_IDENTITY_PROVIDER' });
    reload();
  };
  const deleted = (): void => {
    setDeleting(false);
    notice(t('admin.provider.deleted'), { action: 'DELETE_IDENTITY_PROVIDER' });
    reload();
  };
  return (
    <form className="admin-list admin-list--narrow" onSubmit={(event) => void save(event)}>
      <ProviderFacts provider={before} />
      <ProviderFields draft={draft} hasSecret={before?.has_client_secret === true} roles={roles} onChange={change} />
      {before !== undefined && <ProviderImpact before={before} draft={draft} isChanged={isChanged} />}
      <Failure error={failure}>
        <Button size="s" onPress={reload}>
          {t('admin.reload')}
        </Button>
      </Failure>
      <UnsavedNote isChanged={isChanged} onDiscard={discard} />
      <div className="admin-list__tools">
        <Button kind="primary" type="submit" isDisabled={isRunning || !isComplete}>
          {t(isRunning ? 'admin.provider.checking' : 'action.save')}
        </Button>
        {before !== undefined && (
          <>
            <TestLogin isChanged={isChanged} />
            <Button kind="quiet" onPress={() => setDeleting(true)}>
              {t('action.delete-dialog')}
            </Button>
          </>
        )}
      </div>
      <DeleteProviderDialog
        provider={isDeleting ? base : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={deleted}
      />
    </form>
  );
}
