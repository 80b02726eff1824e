import { useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { TextParameters } from './find-parameters.ts';
import type { GuessedTypes } from './guess-types.ts';
import { ListField } from './list-field.tsx';
import { type FormType, NEW_ENTRY, PARAMETER_TYPES, type ParameterEntry, readEntry } from './parameter-entry.ts';
import './parameter-form.css';

interface ParameterFormProps {
  readonly parameters: TextParameters;
  readonly entries: Readonly<Record<string, ParameterEntry>>;
  readonly onChange: (name: string, entry: ParameterEntry) => void;
  /** Types of fields in which nothing was typed. Default: text. */
  readonly types?: GuessedTypes;
  /** Parameters without which the statement did not run: they are marked, and another list puts the focus into the first one. */
  readonly missing?: readonly string[];
  /** Called for Enter in a field. */
  readonly onEnter?: () => void;
}

const NONE: readonly string[] = [];

/** Forms of values, which are the same in every language. */
const PATTERNS: Partial<Record<FormType, string>> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM:SS',
  timestamp: 'YYYY-MM-DD HH:MM:SS',
  'timestamp with time zone': 'YYYY-MM-DD HH:MM:SS +02:00',
};

/** A field for each parameter of the text. Nothing without parameters. */
export function ParameterForm(props: ParameterFormProps) {
  const { parameters, entries, onChange, types = {}, missing = NONE, onEnter } = props;
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (missing.length > 0) section.current?.querySelector<HTMLElement>('[data-missing] input')?.focus();
  }, [missing]);
  const { names, rejected } = parameters;
  if (names.length === 0 && rejected.length === 0) return null;
  return (
    <section ref={section} className="parameter-form" aria-label={t('parameters.title')}>
      {rejected.length > 0 && <p>{t('parameters.rejected', { marks: rejected.join(' ') })}</p>}
      {names.map((name) => (
        <ParameterField
          key={name}
          name={name}
          entry={entries[name] ?? { ...NEW_ENTRY, type: types[name] ?? NEW_ENTRY.type }}
          isMissing={missing.includes(name) && entries[name] === undefined}
          onChange={(entry) => onChange(name, entry)}
          onEnter={onEnter}
        />
      ))}
    </section>
  );
}

interface ParameterFieldProps {
  readonly name: string;
  readonly entry: ParameterEntry;
  /** The statement did not run, because this has no value. */
  readonly isMissing: boolean;
  readonly onChange: (entry: ParameterEntry) => void;
  readonly onEnter: (() => void) | undefined;
}

function ParameterField({ name, entry, isMissing, onChange, onEnter }: ParameterFieldProps) {
  const { t } = useTranslation();
  const isWrong = entry.text !== '' && readEntry(entry) === undefined;
  const problem = isWrong ? t('parameters.problem') : isMissing ? t('parameters.unset') : undefined;
  const choices = PARAMETER_TYPES.map((type) => ({ id: type, label: t(`parameters.type.${type}`) }));
  return (
    <div className="parameter-form__field" data-missing={isMissing || undefined}>
      {entry.isList === true ? (
        <ListField
          label={`$${name}`}
          text={entry.text}
          isDisabled={entry.isNull}
          problem={problem}
          placeholder={PATTERNS[entry.type]}
          onChange={(text) => onChange({ ...entry, text })}
          onEnter={onEnter}
        />
      ) : (
        <TextField
          label={`$${name}`}
          value={entry.text}
          isDisabled={entry.isNull}
          problem={problem}
          placeholder={PATTERNS[entry.type]}
          onChange={(text) => onChange({ ...entry, text })}
          onEnter={onEnter}
        />
      )}
      <SelectField
        label={t('parameters.type', { name })}
        isLabelHidden
        choices={choices}
        value={entry.type}
        onChange={(type) => onChange({ ...entry, type })}
      />
      <label className="parameter-form__null">
        <input
          type="checkbox"
          checked={entry.isList ?? false}
          aria-label={t('parameters.list', { name })}
          onChange={(event) => onChange({ ...entry, isList: event.target.checked })}
        />
        {t('parameters.list.short')}
      </label>
      <label className="parameter-form__null">
        <input
          type="checkbox"
          checked={entry.isNull}
          aria-label={t('parameters.null', { name })}
          onChange={(event) => onChange({ ...entry, isNull: event.target.checked })}
        />
        <code>{'NULL'}</code>
      </label>
    </div>
  );
}
