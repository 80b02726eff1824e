import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { AUDIT_RANGES, type AuditSearch, isFiltered, NO_AUDIT_SEARCH } from '../router/audit-address.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AUDIT_ACTION_NAMES } from './audit-actions.ts';
import { localTimeText, timeOfLocalText } from './local-time.ts';
import './audit-filter-form.css';

interface AuditFilterFormProps {
  readonly search: AuditSearch;
  /** Called with a search from its newest record on. */
  readonly onSearch: (search: AuditSearch) => void;
}

const ALL = 'all';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Longest name that the host accepts, in characters. */
const NAME_MAX = 320;
const REQUEST_ID_MAX = 200;

type Draft = Readonly<Record<'user' | 'target' | 'requestId' | 'queryId' | 'start' | 'end', string>> &
  Pick<AuditSearch, 'range'> & { readonly action: string };

const draftOf = (search: AuditSearch): Draft => ({
  user: search.user ?? '',
  target: search.target ?? '',
  requestId: search.requestId ?? '',
  queryId: search.queryId ?? '',
  action: search.action ?? ALL,
  range: search.range,
  start: localTimeText(search.start),
  end: localTimeText(search.end),
});

function searchOf(draft: Draft): AuditSearch {
  const text = (value: string): string | undefined => value.trim() || undefined;
  const isCustom = draft.range === 'custom';
  return {
    user: text(draft.user),
    action: draft.action === ALL ? undefined : draft.action,
    target: text(draft.target),
    requestId: text(draft.requestId),
    queryId: text(draft.queryId),
    range: draft.range,
    start: isCustom ? timeOfLocalText(draft.start) : undefined,
    end: isCustom ? timeOfLocalText(draft.end) : undefined,
    position: undefined,
  };
}

/** Fields that say which records are shown. What the user types counts when the form is sent. */
export function AuditFilterForm({ search, onSearch }: AuditFilterFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => draftOf(search));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const next = searchOf(draft);
  const isReversed = next.start !== undefined && next.end !== undefined && next.start >= next.end;
  const hasBadId = next.queryId !== undefined && !UUID.test(next.queryId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReversed && !hasBadId) onSearch(next);
  };
  return (
    <search className="audit-filter">
      <form aria-label={t('audit.filter')} onSubmit={submit}>
        <TextField
          label={t('audit.filter.user')}
          value={draft.user}
          maxLength={NAME_MAX}
          onChange={(user) => set({ user })}
        />
        <SelectField
          label={t('label.action')}
          value={draft.action}
          choices={[
            { id: ALL, label: t('audit.filter.action.all') },
            ...AUDIT_ACTION_NAMES.map((name) => ({ id: name as string, label: name as string })),
          ]}
          onChange={(action) => set({ action })}
        />
        <TextField
          label={t('label.target')}
          value={draft.target}
          maxLength={NAME_MAX}
          onChange={(target) => set({ target })}
        />
        <SelectField
          label={t('label.time')}
          value={draft.range}
          choices={AUDIT_RANGES.map((id) => ({ id, label: t(`audit.filter.range.${id}`) }))}
          onChange={(range) => set({ range })}
        />
        {draft.range === 'custom' && (
          <>
            <TextField
              label={t('audit.filter.start')}
              type="datetime-local"
              value={draft.start}
              onChange={(start) => set({ start })}
            />
            <TextField
              label={t('audit.filter.end')}
              type="datetime-local"
              value={draft.end}
              onChange={(end) => set({ end })}
              problem={isReversed ? t('audit.filter.end.problem') : undefined}
            />
          </>
        )}
        <TextField
          label={t('label.query-id')}
          value={draft.queryId}
          onChange={(queryId) => set({ queryId })}
          problem={hasBadId ? t('audit.filter.query.problem') : undefined}
        />
        <TextField
          label={t('label.request-id')}
          value={draft.requestId}
          maxLength={REQUEST_ID_MAX}
          onChange={(requestId) => set({ requestId })}
        />
        <div className="audit-filter__actions">
          <Button kind="primary" type="submit" icon="search">
            {t('audit.filter.apply')}
          </Button>
          {isFiltered(search) && <Button onPress={() => onSearch(NO_AUDIT_SEARCH)}>{t('audit.filter.clear')}</Button>}
        </div>
      </form>
    </search>
  );
}
