import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isNotFound } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { CopiedText } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { draftOf, type IdentityProvider, lostMappings, type ProviderDraft, providerBody } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';
import { UnsavedNote, useUnsavedEdit } from './unsaved-edit.tsx';
import { useRoles } from './use-admin.ts';

/** The identity provider of the tenant: who signs in with it, and which roles its groups give. */
export function IdentityProviderForm() {
  const client = useClient();
  const provider = useQuery({
    queryKey: QUERY_KEYS.adminRecord('identity-provider'),
    queryFn: ({ signal }): Promise<Versioned<IdentityProvider | undefined>> =>
      readVersioned((options) => client.api.getIdentityProvider({ signal, ...options })).catch((thrown: unknown) => {
        if (isNotFound(thrown)) return { value: undefined, entityTag: undefined };
        throw thrown;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={provider}>
      {/* Another version fills the form again. */}
      {(data) => <ProviderForm key={data.entityTag ?? ''} provider={data} onReload={() => void provider.refetch()} />}
    </Loaded>
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
  const { base, draft, isChanged, change, discard, forget } = useUnsavedEdit('identity provider', provider, draftOf);
  const before = base.value;
  const [isDeleting, setDeleting] = useState(false);
  const isComplete = [draft.issuer, draft.clientId, draft.emailClaim].every((text) => text.trim() !== '');
  const reload = () => {
    forget();
    onReload();
  };
  const { start, isRunning, failure } = useAction(
    () => client.api.putIdentityProvider({ body: providerBody(draft), ...ifUnchanged(base) }),
    {
      onDone() {
        notice(t('admin.provider.saved'), { action: 'UPDATE_IDENTITY_PROVIDER' });
        reload();
      },
    },
  );
  const onDeleted = (): void => {
    setDeleting(false);
    notice(t('admin.provider.deleted'), { action: 'DELETE_IDENTITY_PROVIDER' });
    reload();
  };
  return (
    <Stack as="form" width="dialog" onSubmit={() => isComplete && start()}>
      <ProviderFacts provider={before} />
      <ProviderFields draft={draft} hasSecret={before?.has_client_secret === true} roles={roles} onChange={change} />
      {before !== undefined && <ProviderImpact before={before} draft={draft} isChanged={isChanged} />}
      <Failure error={failure} onRetry={reload} retryLabel={t('admin.reload')} />
      <UnsavedNote isChanged={isChanged} onDiscard={discard} />
      <Row>
        <Button kind="primary" type="submit" isDisabled={isRunning || !isComplete}>
          {t(isRunning ? 'admin.provider.checking' : 'action.save')}
        </Button>
        {before !== undefined && (
          <>
            <TestLogin isChanged={isChanged} />
            <Button kind="danger-quiet" onPress={() => setDeleting(true)}>
              {t('action.delete-dialog')}
            </Button>
          </>
        )}
      </Row>
      <DeleteProviderDialog
        provider={isDeleting ? base : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={onDeleted}
      />
    </Stack>
  );
}

interface DeleteProviderDialogProps {
  /** Undefined: the dialog is closed. */
  readonly provider: Versioned<unknown> | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before the identity provider is deleted. */
function DeleteProviderDialog({ provider, onClose, onDeleted }: DeleteProviderDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { start, isRunning, failure } = useAction(
    (existing: Versioned<unknown>) => client.api.deleteIdentityProvider(ifUnchanged(existing)),
    { onDone: onDeleted },
  );
  return (
    <Dialog title={t('admin.provider.delete.now')} isOpen={provider !== undefined} onClose={onClose}>
      <Stack>
        <Failure error={failure} />
        <Impact losses={[t('admin.impact.provider.deleted')]} />
        <DialogActions onCancel={onClose}>
          <Button kind="danger" isDisabled={isRunning} onPress={() => provider && void start(provider)}>
            {t('admin.provider.delete.now')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

/** Read-only facts about the identity provider: its last change, and the callback address to register there. */
function ProviderFacts({ provider }: { readonly provider: IdentityProvider | undefined }) {
  const { t, formatTime } = useTranslation();
  if (provider === undefined) return <p>{t('admin.provider.none')}</p>;
  const { callback_url: callback, updated_by: user, updated_ts: time } = provider;
  return (
    <>
      <p>
        {t('admin.provider.updated', { user: visibleText(user), time: formatTime(time) })}{' '}
        <AuditLogLink search={{ target: provider.issuer }} />
      </p>
      <p>{t('admin.provider.callback')}</p>
      <CopiedText text={callback} label={t('admin.provider.callback.copy')} />
    </>
  );
}

interface ProviderImpactProps {
  readonly before: IdentityProvider;
  readonly draft: ProviderDraft;
  /** Whether anything is changed yet. */
  readonly isChanged: boolean;
}

/** List of the logins, links and roles that a change of the identity provider takes away. */
function ProviderImpact({ before, draft, isChanged }: ProviderImpactProps) {
  const { t } = useTranslation();
  const isOther = draft.issuer.trim() !== before.issuer;
  const losses: readonly (string | false)[] = [
    isOther && t('admin.impact.provider.issuer'),
    ...lostMappings(before.role_mappings, draft.mappings).map(({ group, roles }) =>
      t('admin.impact.provider.mapping', { group: visibleText(group), roles: roles.join(', ') }),
    ),
    before.role_mappings.length > 0 && draft.mappings.length === 0 && t('admin.impact.provider.unmapped'),
    before.create_users && !draft.createUsers && t('admin.impact.provider.create-users'),
    before.trust_email && !draft.trustEmail && t('admin.impact.provider.trust-email'),
  ];
  return <Impact losses={losses.filter((loss) => loss !== false)} isChanged={isChanged} />;
}

interface TestLoginProps {
  /** Whether the form has changes, which a test does not know before they are saved. */
  readonly isChanged: boolean;
}

/** Begins a test login at the saved identity provider. A tab of its own shows the received claims and the roles that they give. */
function TestLogin({ isChanged }: TestLoginProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const [begun, setBegun] = useState<{ readonly url: string; readonly expires_ts: number }>();
  const { start, isRunning, failure } = useAction(() => client.api.testIdentityProvider(), {
    onDone: ({ result }) => setBegun(result),
  });
  const close = (): void => setBegun(undefined);
  return (
    <>
      <Button isDisabled={isRunning} onPress={() => void start()}>
        {t('admin.provider.test')}
      </Button>
      <Failure error={failure} />
      <Dialog title={t('admin.provider.test.title')} isOpen={begun !== undefined} onClose={close}>
        {begun !== undefined && (
          <Stack>
            {isChanged && <p>{t('admin.provider.test.without-changes')}</p>}
            <p>{t('admin.provider.test.about', { time: formatTime(begun.expires_ts) })}</p>
            <p>
              <a href={begun.url} target="_blank" rel="noopener noreferrer" onClick={close}>
                {t('admin.provider.test.open')}
              </a>
            </p>
            <p>
              <AuditLogLink search={{ action: 'TEST_IDENTITY_PROVIDER' }} />
            </p>
            <DialogActions onClose={close} />
          </Stack>
        )}
      </Dialog>
    </>
  );
}
