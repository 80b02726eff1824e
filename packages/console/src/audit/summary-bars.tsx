import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import './summary-bars.css';

/** A name with the number of its records. */
interface CountedName {
  readonly name: string;
  readonly records: number;
}

interface SummaryBarsProps {
  /** Accessible name of the list. */
  readonly label: string;
  readonly names: readonly CountedName[];
  /** Path of the records of a name. */
  readonly pathOf: (name: string) => string;
}

const WHOLE = 100;

/** Names with a bar each, as long as their share of the largest number. Each leads to its records. */
export function SummaryBars({ label, names, pathOf }: SummaryBarsProps) {
  const { formatNumber } = useTranslation();
  const largest = Math.max(1, ...names.map(({ records }) => records));
  return (
    <ol className="summary-bars" aria-label={label}>
      {names.map(({ name, records }) => (
        <li key={name}>
          <Link className="summary-bars__row" to={pathOf(name)}>
            <span className="summary-bars__name">
              <VisibleText text={name} />
            </span>
            <span className="summary-bars__count">{formatNumber(records)}</span>
            <span className="summary-bars__track" aria-hidden="true">
              <span className="summary-bars__bar" style={{ inlineSize: `${(records / largest) * WHOLE}%` }} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
