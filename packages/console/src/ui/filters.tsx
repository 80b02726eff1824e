import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import './filters.css';

interface FiltersProps {
  /** Number of filters in use, which the button shows. */
  readonly count: number;
  readonly children: ReactNode;
}

/** Filters of a list. On a phone they are behind a button, so that the list itself is on the screen. */
export function Filters({ count, children }: FiltersProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="filters">
      <div className="filters__button">
        <Button icon="filter" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
          {count === 0 ? t('filters') : t('filters.count', { count })}
        </Button>
      </div>
      <div id={id} className="filters__content" data-open={isOpen}>
        {children}
      </div>
    </div>
  );
}

interface FacetedListProps extends FiltersProps {
  /** Accessible name of the facets. */
  readonly label: string;
  /** Values that narrow the list, each a `FacetList`. */
  readonly facets: ReactNode;
  /** Content below the facets, and on a phone below the list. */
  readonly beside?: ReactNode;
}

/** List with its facets at its start. */
export function FacetedList({ label, count, facets, beside, children }: FacetedListProps) {
  return (
    <div className="faceted-list">
      <nav className="faceted-list__facets" aria-label={label}>
        <Filters count={count}>{facets}</Filters>
      </nav>
      <div className="faceted-list__results">{children}</div>
      {beside !== undefined && <div className="faceted-list__beside">{beside}</div>}
    </div>
  );
}
