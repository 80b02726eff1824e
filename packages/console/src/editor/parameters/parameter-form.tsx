import { useTranslation } from '../../i18n/translate.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { TextParameters } from './find-parameters.ts';
import { type FormType, NEW_ENTRY, PARAMETER_TYPES, type ParameterEntry, readEntry } from './parameter-entry.ts';
import './parameter-form.css';

interface ParameterFormProps {
  readonly parameters: TextParameters;
  readonly entries: Readonly<Record<string, ParameterEntry>>;
  readonly onChange: (name: string, entry: ParameterEntry) => void;
}

/** Forms of values, which are the same in every language. */
const PATTERNS: Partial<Record<FormType, string>> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM:SS',
  timestamp: 'YYYY-MM-DD HH:MM:SS',
  'timestamp with time zone': 'YYYY-MM-DD HH:MM:SS +02:00',
};

/** A field for each parameter of the text. Nothing without parameters. */
export function ParameterForm({ parameters, entries, onChange }: ParameterFormProps) {
  const { t } = useTranslation();
  const { names, rejected } = parameters;
  if (names.length === 0 && rejected.length === 0) return null;
  return (
    <section className="parameter-form" aria-label={t('parameters.title')}>
      {rejected.length > 0 && <p>{t('parameters.rejected', { marks: rejected.join(' ') })}</p>}
      {names.map((name) => (
        <ParameterField
          key={name}
          name={name}
          entry={entries[name] ?? NEW_ENTRY}
          onChange={(entry) => onChange(name, entry)}
        />
      ))}
    </section>
  );
}

interface ParameterFieldProps {
  readonly name: string;
  readonly entry: ParameterEntry;
  readonly onChange: (entry: ParameterEntry) => void;
}

function ParameterField({ name, entry, onChange }: ParameterFieldProps) {
  const { t } = useTranslation();
  const isWrong = entry.text !== '' && readEntry(entry) === undefined;
  const choices = PARAMETER_TYPES.map((type) => ({ id: type, label: t(`parameters.type.${type}`) }));
  return (
    <div className="parameter-form__field">
      <TextField
        label={`$${name}`}
        value={entry.text}
        isDisabled={entry.isNull}
        problem={isWrong ? t('parameters.problem') : undefined}
        placeholder={PATTERNS[entry.type]}
        {...(entry.isList === true ? { lines: 2, description: t('parameters.list.about') } : {})}
        onChange={(text) => onChange({ ...entry, text })}
      />
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
