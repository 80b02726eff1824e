import { useId } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import './row-limit.css';

/** Choices of the most rows that a run asks for. */
const LIMITS = [100, 1000, 10_000, 100_000] as const;
const ALL = 'all';

interface RowLimitProps {
  /** Undefined: all rows. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Choice of how many rows a run asks for. The engine stops there, and the result says that it is limited. */
export function RowLimit({ value, onChange }: RowLimitProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <span className="row-limit">
      <label htmlFor={id}>{t('label.rows')}</label>
      <select
        id={id}
        value={value ?? ALL}
        onChange={({ target }) => onChange(target.value === ALL ? undefined : Number(target.value))}
      >
        <option value={ALL}>{t('run.limit.all')}</option>
        {LIMITS.map((limit) => (
          <option key={limit} value={limit}>
            {t('run.limit.first', { count: limit })}
          </option>
        ))}
      </select>
    </span>
  );
}
