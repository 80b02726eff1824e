import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, useClient, type Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { DOMAINS_PATH } from '../router/object-paths.ts';
import { useListState } from '../router/query-parameters.ts';
import { navigate } from '../router/router.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { DomainForm } from '../steward/domains/domain-form.tsx';
import { DomainObjects } from '../steward/domains/domain-objects.tsx';
import { type Domain, useDomain } from '../steward/domains/use-domain.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Note, Section } from '../ui/layout.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Breadcrumbs, Page } from '../ui/page.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';
import './object-page.css';

function DomainBreadcrumbs() {
  const { t } = useTranslation();
  return <Breadcrumbs label={t('describe.domain.path')} items={[{ text: t('property.domains'), to: DOMAINS_PATH }]} />;
}

/** Page of a domain: what it is, whom to ask, and what is in it. */
export function DomainPage({ parameters: { id = '' } }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { data: found, error, isError, refetch } = useDomain(id);
  const { from, move } = useListState();
  if (isError && found === undefined)
    return (
      <ObjectUnavailable
        error={error}
        missing={t('describe.domain.missing')}
        title={t('property.domains')}
        breadcrumbs={<DomainBreadcrumbs />}
        onRetry={refetch}
      />
    );
  if (found === undefined) return <Page title={t('property.domains')} isTitleHidden isBusy />;
  const { name, description, owner } = found.value;
  return (
    <Page title={name} breadcrumbs={<DomainBreadcrumbs />} actions={<DomainActions found={found} />}>
      {description === null ? (
        <Note>{t('object.no-description')}</Note>
      ) : (
        <div className="object-page__description">
          <Markdown text={description} />
        </div>
      )}
      <dl className="object-page__details">
        <div>
          <dt>{t('label.owner')}</dt>
          <dd>{owner === null ? t('label.none') : <VisibleText text={owner} />}</dd>
        </div>
      </dl>
      <Section title={t('describe.domain.objects')}>
        <DomainObjects id={id} from={from} onMove={move} />
      </Section>
    </Page>
  );
}

/** Buttons that change and remove a domain, for users who may. */
function DomainActions({ found }: { readonly found: Versioned<Domain> }) {
  const { t } = useTranslation();
  const client = useClient();
  const { permissions } = useCurrentUser();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const notice = useChangeNotice();
  const { id, name } = found.value;
  const close = (): void => setOpen(undefined);
  const removal = useAction(
    (_input, options) => client.api.deleteDomain({ params: { id }, ...ifUnchanged(found), ...options }),
    {
      invalidates: [QUERY_KEYS.domains],
      onDone({ requestId }) {
        notice(t('describe.domain.deleted', { name: visibleText(name) }), { requestId });
        navigate(DOMAINS_PATH);
      },
    },
  );
  if (!permissions.includes('metadata:write')) return null;
  return (
    <>
      <Button icon="edit" onPress={() => setOpen('edit')}>
        {t('describe.domain.edit')}
      </Button>
      <Button onPress={() => setOpen('delete')}>{t('action.delete-dialog')}</Button>
      <Failure error={removal.failure} />
      <Dialog title={t('describe.domain.edit')} isOpen={open === 'edit'} onClose={close}>
        <DomainForm
          key={found.entityTag}
          found={found}
          onClose={close}
          onSaved={(saved, requestId) => {
            close();
            notice(t('describe.domain.saved', { name: visibleText(saved.name) }), { requestId });
          }}
        />
      </Dialog>
      <ConfirmDialog
        title={t('describe.domain.delete', { name: visibleText(name) })}
        action={t('describe.domain.delete.now')}
        cancel={t('action.cancel')}
        isOpen={open === 'delete'}
        onConfirm={() => void removal.start()}
        onClose={close}
      >
        <p>{t('describe.domain.delete.about')}</p>
      </ConfirmDialog>
    </>
  );
}
