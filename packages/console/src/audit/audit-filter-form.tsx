import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import {
  AUDIT_RANGES,
  type AuditSearch,
  auditPath,
  countFilters,
  hidesPageLoads,
  NO_AUDIT_SEARCH,
} from '../router/audit-address.ts';
import { hrefOf } from '../router/router.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Filters } from '../ui/filters.tsx';
import { announce } from '../ui/live-regions.tsx';
import { MultiSelectField } from '../ui/multi-select-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useClipboard } from '../ui/use-clipboard.ts';
import { AUDIT_ACTION_NAMES } from './audit-actions.ts';
import { localTimeText, timeOfLocalText } from './local-time.ts';
import './audit-filter-form.css';

interface AuditFilterFormProps {
  readonly search: AuditSearch;
  /** Called with a search from its newest record on. */
  readonly onSearch: (search: AuditSearch) => void;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Longest name that the host accepts, in characters. */
const NAME_MAX = 320;
const REQUEST_ID_MAX = 200;
const TEXT_MAX = 200;
const READS_MAX = 640;

type Draft = Readonly<
  Record<'user' | 'reads' | 'text' | 'target' | 'requestId' | 'queryId' | 'start' | 'end', string>
> &
  Pick<AuditSearch, 'range' | 'actions' | 'hasPageLoads'>;

const draftOf = (search: AuditSearch): Draft => ({
  user: search.user ?? '',
  reads: search.reads ?? '',
  text: search.text ?? '',
  target: search.target ?? '',
  requestId: search.requestId ?? '',
  queryId: search.queryId ?? '',
  actions: search.actions,
  hasPageLoads: search.hasPageLoads,
  range: search.range,
  start: localTimeText(search.start),
  end: localTimeText(search.end),
});

function searchOf(draft: Draft): AuditSearch {
  const text = (value: string): string | undefined => value.trim() || undefined;
  const isCustom = draft.range === 'custom';
  return {
    user: text(draft.user),
    actions: draft.actions,
    reads: text(draft.reads),
    text: text(draft.text),
    target: text(draft.target),
    requestId: text(draft.requestId),
    queryId: text(draft.queryId),
    hasPageLoads: draft.hasPageLoads,
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
  const actionSummary = useActionSummary(draft.actions);
  const count = countFilters(search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReversed && !hasBadId) onSearch(next);
  };
  return (
    <search className="audit-filter">
      <Filters count={count}>
        <form aria-label={t('audit.filter')} onSubmit={submit}>
          <TextField
            label={t('audit.filter.user')}
            value={draft.user}
            maxLength={NAME_MAX}
            onChange={(user) => set({ user })}
          />
          <MultiSelectField
            label={t('audit.filter.actions')}
            summary={actionSummary}
            choices={actionChoices(draft.actions)}
            values={draft.actions}
            onChange={(actions) => set({ actions })}
          />
          <TextField
            label={t('audit.filter.text')}
            value={draft.text}
            maxLength={TEXT_MAX}
            onChange={(words) => set({ text: words })}
          />
          <TextField
            label={t('audit.filter.reads')}
            placeholder={t('audit.filter.reads.example')}
            value={draft.reads}
            maxLength={READS_MAX}
            onChange={(reads) => set({ reads })}
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
          <div className="audit-filter__loads">
            <Checkbox
              label={t('audit.filter.page-loads')}
              description={t('audit.filter.page-loads.about')}
              isSelected={hidesPageLoads(next)}
              isDisabled={!hidesPageLoads({ ...next, hasPageLoads: false })}
              onChange={(isHidden) => onSearch({ ...next, hasPageLoads: !isHidden })}
            />
          </div>
          <div className="audit-filter__actions">
            <Button kind="primary" type="submit" icon="search">
              {t('audit.filter.apply')}
            </Button>
            <CopyLink search={search} />
            {count > 0 && <Button onPress={() => onSearch(NO_AUDIT_SEARCH)}>{t('audit.filter.clear')}</Button>}
          </div>
        </form>
      </Filters>
    </search>
  );
}

/** Returns the choices of actions, with those of the address that only a later release has. */
const actionChoices = (chosen: readonly string[]) =>
  [...new Set([...AUDIT_ACTION_NAMES, ...chosen])].map((name) => ({ id: name as string, label: name as string }));

function useActionSummary(actions: readonly string[]): string {
  const { t } = useTranslation();
  const [only] = actions;
  if (only === undefined) return t('audit.filter.action.all');
  return actions.length === 1 ? only : t('audit.filter.actions.count', { count: actions.length });
}

/** Copies the address of the search that is shown. */
function CopyLink({ search }: Pick<AuditFilterFormProps, 'search'>) {
  const { t } = useTranslation();
  const copy = useClipboard();
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      onPress={async () => {
        if (!(await copy(new URL(hrefOf(auditPath(search)), location.href).href))) return;
        setCopied(true);
        announce(t('action.copied'));
      }}
    >
      {t('audit.filter.copy-link')}
    </Button>
  );
}
