import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import type { LimitName } from './tenant-limits.ts';

/** Returns a function that writes a limit with its unit. Null: no limit. */
export function useLimitText(): (name: LimitName, value: number | null) => string {
  const { t, language, formatNumber } = useTranslation();
  return (name, value) => {
    if (value === null) return t('label.none');
    if (name === 'query_time_ms') return t('label.seconds', { seconds: formatNumber(value / 1000) });
    return name === 'bytes_max' ? formatBytes(value, language) : formatNumber(value);
  };
}
