import { useTranslation } from '../i18n/translate.tsx';
import { NativeSelect } from '../ui/native-select.tsx';
import { ROW_LIMITS } from './row-limits.ts';

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
  return (
    <NativeSelect
      label={t('label.rows')}
      value={value ?? ALL}
      isDisabled={isDisabled}
      onChange={(chosen) => onChange(chosen === ALL ? undefined : Number(chosen))}
    >
      {ROW_LIMITS.map((limit) => (
        <option key={limit} value={limit}>
          {t('run.limit.first', { count: limit })}
        </option>
      ))}
      <option value={ALL}>{t('run.limit.all')}</option>
    </NativeSelect>
  );
}
