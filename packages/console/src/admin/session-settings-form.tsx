import type { ApiOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { UnsavedNote, useUnsavedEdit } from './unsaved-edit.tsx';

type SessionSettings = ApiOperationTypes['getSessionSettings']['result'];
type Lifetime = keyof SessionSettings['max'];

/** Fields with the smallest number that the host accepts. */
const FIELDS = [
  { name: 'idle_minutes', label: 'admin.session-settings.idle', min: 5 },
  { name: 'absolute_hours', label: 'admin.session-settings.absolute', min: 1 },
] as const satisfies readonly { readonly name: Lifetime; readonly label: string; readonly min: number }[];

const inputOf = (settings: SessionSettings): Readonly<Record<Lifetime, string>> => ({
  idle_minutes: String(settings.idle_minutes ?? ''),
  absolute_hours: String(settings.absolute_hours ?? ''),
});

/** Returns the number of a field: null for an empty one, undefined for another text. */
const numberOf = (text: string): number | null | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
};

/** Form with the time after which sessions of users end. */
export function SessionSettingsForm() {
  const client = useClient();
  const settings = useQuery({
    queryKey: QUERY_KEYS.adminRecord('session-settings'),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getSessionSettings({ signal, ...options })),
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
  readonly settings: Versioned<SessionSettings>;
  readonly onReload: () => void;
}

function Fields({ settings, onReload }: FieldsProps) {
  const { t, formatNumber } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const edit = useUnsavedEdit('session-settings', settings, inputOf);
  const { base, draft: input, isChanged, change, discard, forget } = edit;
  const { max } = base.value;
  const next = { idle_minutes: numberOf(input.idle_minutes), absolute_hours: numberOf(input.absolute_hours) };
  const problemOf = ({ name, min }: (typeof FIELDS)[number]): string | undefined => {
    const value = next[name];
    if (value === null) return undefined;
    if (value === undefined || value < min) return t('admin.session-settings.problem', { min });
    return value > max[name] ? t('admin.session-settings.above', { max: formatNumber(max[name]) }) : undefined;
  };
  const isValid = FIELDS.every((field) => problemOf(field) === undefined);
  const reload = () => {
    forget();
    onReload();
  };
  const body = { idle_minutes: next.idle_minutes ?? null, absolute_hours: next.absolute_hours ?? null };
  const { start, isRunning, failure } = useAction(() => client.api.putSessionSettings({ body, ...ifUnchanged(base) }), {
    onDone() {
      notice(t('admin.session-settings.saved'), { action: 'UPDATE_SESSION_SETTINGS' });
      reload();
    },
  });
  return (
    <Stack as="form" width="dialog" onSubmit={() => isValid && start()}>
      <p>
        {t('admin.session-settings.about')} <AuditLogLink search={{ action: 'UPDATE_SESSION_SETTINGS' }} />
      </p>
      {FIELDS.map((field) => (
        <TextField
          key={field.name}
          label={t(field.label)}
          description={t('admin.session-settings.max', { max: formatNumber(max[field.name]) })}
          value={input[field.name]}
          maxLength={9}
          inputMode="numeric"
          onChange={(text) => change({ ...input, [field.name]: text })}
          problem={problemOf(field)}
        />
      ))}
      {isChanged && isValid && <Impact losses={[t('admin.impact.session-settings')]} />}
      <Failure error={failure} onRetry={reload} retryLabel={t('admin.reload')} />
      <UnsavedNote isChanged={isChanged} onDiscard={discard} />
      <Row>
        <Button kind="primary" type="submit" isDisabled={isRunning || !isValid}>
          {t('action.save')}
        </Button>
      </Row>
    </Stack>
  );
}
