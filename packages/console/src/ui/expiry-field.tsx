import { useTranslation } from '../i18n/translate.tsx';
import { EXPIRY_CHOICES, type ExpiryChoice, expiryOf } from './expiry.ts';
import { SelectField } from './select-field.tsx';
import { TextField } from './text-field.tsx';
import './expiry-field.css';

/** Chosen end of an access, before it is checked. */
export interface ChosenExpiry {
  readonly choice: ExpiryChoice;
  /** Text of the date field, for the choice `date`. */
  readonly date: string;
}

interface ExpiryFieldProps {
  readonly value: ChosenExpiry;
  readonly onChange: (value: ChosenExpiry) => void;
}

/** Fields for the end of an access: a number of days, a date, or never. Says when that is. */
export function ExpiryField({ value: { choice, date }, onChange }: ExpiryFieldProps) {
  const { t, formatTime } = useTranslation();
  const expiresTs = expiryOf(choice, date, Date.now());
  return (
    <>
      <SelectField
        label={t('expiry')}
        value={choice}
        choices={EXPIRY_CHOICES.map((id) => ({ id, label: t(`expiry.${id}`) }))}
        onChange={(id) => onChange({ choice: id, date })}
      />
      {choice === 'date' && (
        <TextField
          label={t('expiry.date-field')}
          type="date"
          value={date}
          onChange={(text) => onChange({ choice, date: text })}
          problem={date !== '' && expiresTs === undefined ? t('expiry.past') : undefined}
          isRequired
        />
      )}
      <p className="expiry-field__end">
        {expiresTs === null
          ? t('expiry.warning')
          : expiresTs !== undefined && t('expiry.end', { time: formatTime(expiresTs) })}
      </p>
    </>
  );
}
