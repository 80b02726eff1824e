import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface MissingResultProps {
  /** Time until which the result was to be kept, in epoch milliseconds. Undefined: the page does not know it. */
  readonly keptUntil: number | undefined;
  readonly onRun: () => void;
}

/** Says that the kept result of a tab has expired or was deleted, and offers a run. */
export function MissingResult({ keptUntil, onRun }: MissingResultProps) {
  const { t, formatShortTime } = useTranslation();
  const isExpired = keptUntil !== undefined && keptUntil <= Date.now();
  return (
    <EmptyState
      icon="history"
      title={t(isExpired ? 'kept.expired' : 'kept.missing')}
      message={isExpired ? t('kept.expired.message', { time: formatShortTime(keptUntil) }) : t('kept.missing.message')}
    >
      <Button kind="primary" icon="run" onPress={onRun}>
        {t('query.run')}
      </Button>
    </EmptyState>
  );
}
