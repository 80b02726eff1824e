import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import './pager.css';

interface PagerProps {
  /** Accessible name, which says what the pages list. */
  readonly label: string;
  /** Position of the first entry that is shown, from 0. */
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly onMove: (from: number) => void;
}

/** Buttons to the pages before and after. Nothing if one page holds everything. */
export function Pager({ label, from, size, total, onMove }: PagerProps) {
  const { t } = useTranslation();
  if (total <= size && from === 0) return null;
  const last = Math.min(from + size, total);
  return (
    <nav className="pager" aria-label={label}>
      <span>{t('pager.shown', { first: Math.min(from + 1, total), last, total })}</span>
      <Button size="s" isDisabled={from === 0} onPress={() => onMove(Math.max(0, from - size))}>
        {t('pager.before')}
      </Button>
      <Button size="s" isDisabled={from + size >= total} onPress={() => onMove(from + size)}>
        {t('pager.after')}
      </Button>
    </nav>
  );
}
