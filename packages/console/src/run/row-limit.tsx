import { useId } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { ROW_LIMITS } from './row-limits.ts';
import './row-limit.css';

const ALL = 'all';

interface RowLimitProps {
  /** Undefined: all rows. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  /** Whether there is no tab yet that would keep the choice. */
  readonly isDisabled: boolean;
}

/** Choice of how many rows a run asks for. The engine stops there, and the result says that it is limited. */
export function RowLimit({ value, onChange, isDisabled }: RowLimitProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <span className="row-limit">
      <label htmlFor={id}>{t('label.rows')}</label>
      <select
        id={id}
        value={value ?? ALL}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value === ALL ? undefined : Number(target.value))}
      >
        {ROW_LIMITS.map((limit) => (
          <option key={limit} value={limit}>
            {t('run.limit.first', { count: limit })}
          </option>
        ))}
        <option value={ALL}>{t('run.limit.all')}</option>
      </select>
    </span>
  );
}
