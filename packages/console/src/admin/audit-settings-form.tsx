import type { ApiOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { UnsavedNote, useUnsavedEdit } from './unsaved-edit.tsx';

type AuditSettings = ApiOperationTypes['getAuditSettings']['result'];

/** Form of the audit settings: whether reads of metadata are recorded. */
export function AuditSettingsForm() {
  const client = useClient();
  const settings = useQuery({
    queryKey: QUERY_KEYS.adminRecord('audit-settings'),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getAuditSettings({ signal, ...options })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={settings}>
      {(data) => <Fields key={data.entityTag} settings={data} onReload={() => void settings.refetch()} />}
    </Loaded>
  );
}

interface FieldsProps {
  readonly settings: Versioned<AuditSettings>;
  readonly onReload: () => void;
}

const isRecorded = ({ metadata_reads: reads }: AuditSettings): boolean => reads === 'recorded';

function Fields({ settings, onReload }: FieldsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { base, draft, isChanged, change, discard, forget } = useUnsavedEdit('audit-settings', settings, isRecorded);
  const reload = () => {
    forget();
    onReload();
  };
  const body = { metadata_reads: draft ? 'recorded' : 'not_recorded' } as const;
  const { start, isRunning, failure } = useAction(() => client.api.putAuditSettings({ body, ...ifUnchanged(base) }), {
    onDone() {
      notice(t('admin.audit.saved'), { action: 'UPDATE_AUDIT_SETTINGS' });
      reload();
    },
  });
  return (
    <Stack as="form" width="dialog" onSubmit={() => start()}>
      <p>
        {t('admin.audit.about')} <AuditLogLink search={{ action: 'UPDATE_AUDIT_SETTINGS' }} />
      </p>
      <Checkbox
        label={t('admin.audit.metadata-reads')}
        description={t('admin.audit.metadata-reads.about')}
        isSelected={draft}
        onChange={change}
      />
      {isRecorded(base.value) && !draft && <Impact losses={[t('admin.impact.metadata-reads')]} />}
      <Failure error={failure} onRetry={reload} retryLabel={t('admin.reload')} />
      <UnsavedNote isChanged={isChanged} onDiscard={discard} />
      <Row>
        <Button kind="primary" type="submit" isDisabled={isRunning}>
          {t('action.save')}
        </Button>
      </Row>
    </Stack>
  );
}
