import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { LIMITS, type LimitName, limitInput, loweredLimits, parseLimit, type TenantLimits } from './tenant-limits.ts';
import { UnsavedNote, useUnsavedEdit } from './unsaved-edit.tsx';

/** Limits that the tenant sets for itself, below those of the operator. */
export function LimitsForm() {
  const client = useClient();
  const limits = useQuery({
    queryKey: QUERY_KEYS.adminRecord('limits'),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getLimits({ signal, ...options })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Loaded query={limits}>
      {(data) => <Fields key={data.entityTag} limits={data} onReload={() => void limits.refetch()} />}
    </Loaded>
  );
}

interface FieldsProps {
  readonly limits: Versioned<TenantLimits>;
  readonly onReload: () => void;
}

function Fields({ limits, onReload }: FieldsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const limitText = useLimitText();
  const { base, draft: input, isChanged, change, discard, forget } = useUnsavedEdit('limits', limits, limitInput);
  const { value } = base;
  const parsed = LIMITS.map((limit) => [limit.name, parseLimit(input[limit.name], limit)] as const);
  const problems = new Map(
    parsed.map(([name, limit]) => {
      const most = value.operator[name];
      if (limit === undefined) return [name, t('admin.limit.problem', { min: minOf(name) })];
      const isAbove = limit !== null && most !== null && limit > most;
      return [name, isAbove ? t('admin.limit.above', { limit: limitText(name, most) }) : undefined];
    }),
  );
  const isValid = [...problems.values()].every((problem) => problem === undefined);
  const next = Object.fromEntries(parsed.map(([name, limit]) => [name, limit ?? null])) as Record<
    LimitName,
    number | null
  >;
  const reload = () => {
    forget();
    onReload();
  };
  const { start, isRunning, failure } = useAction(() => client.api.putLimits({ body: next, ...ifUnchanged(base) }), {
    onDone() {
      notice(t('admin.limits.saved'), { action: 'UPDATE_LIMITS' });
      reload();
    },
  });
  const losses = isValid
    ? loweredLimits(value, next).map(({ name, from, to }) =>
        t('admin.impact.limit', {
          limit: t(`admin.limit.${name}`),
          from: limitText(name, from),
          to: limitText(name, to),
        }),
      )
    : [];
  return (
    <Stack as="form" width="dialog" onSubmit={() => isValid && start()}>
      <p>
        {t('admin.limits.about')} <AuditLogLink search={{ action: 'UPDATE_LIMITS' }} />
      </p>
      {LIMITS.map((limit) => (
        <TextField
          key={limit.name}
          label={t(`admin.limit.${limit.name}`)}
          description={t(limit.name === 'console_keep_ms' ? 'admin.limit.console.about' : 'admin.limit.operator', {
            limit: limitText(limit.name, value.operator[limit.name]),
          })}
          value={input[limit.name]}
          maxLength={20}
          inputMode="decimal"
          onChange={(text) => change({ ...input, [limit.name]: text })}
          problem={problems.get(limit.name)}
        />
      ))}
      {losses.length > 0 && <Impact losses={losses} />}
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

const SECONDS: ReadonlySet<LimitName> = new Set(['query_time_ms', 'keep_time_ms', 'console_keep_ms']);
const BYTES: ReadonlySet<LimitName> = new Set(['bytes_max', 'kept_bytes_max']);

const minOf = (name: LimitName): string => String(LIMITS.find((limit) => limit.name === name)?.min ?? 1);

/** Returns a function that writes a limit with its unit. Null: no limit. */
function useLimitText(): (name: LimitName, value: number | null) => string {
  const { t, language, formatNumber } = useTranslation();
  return (name, value) => {
    if (value === null) return t('label.none');
    if (SECONDS.has(name)) return t('label.seconds', { seconds: formatNumber(value / 1000) });
    return BYTES.has(name) ? formatBytes(value, language) : formatNumber(value);
  };
}
