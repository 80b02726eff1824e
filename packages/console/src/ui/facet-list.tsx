import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Icon } from './icon.tsx';
import { VisibleText } from './visible-text.tsx';
import './facet-list.css';

interface FacetListProps {
  readonly title: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly selected: string | undefined;
  readonly nameOf: (value: string) => string;
  /** Path of the search with this value, or without one. */
  readonly pathOf: (value: string | undefined) => string;
}

/** Values of one property of the results, to narrow them. The selected one leads back. */
export function FacetList({ title, values, selected, nameOf, pathOf }: FacetListProps) {
  const { formatNumber } = useTranslation();
  if (values.length === 0) return null;
  return (
    <section className="facet-list" aria-label={title}>
      <h2 className="facet-list__title">{title}</h2>
      <ul>
        {values.map(({ value, count }) => (
          <li key={value}>
            <Link
              className="facet-list__value"
              to={pathOf(value === selected ? undefined : value)}
              aria-current={value === selected ? 'true' : undefined}
            >
              <span className="facet-list__name">
                <VisibleText text={nameOf(value)} />
              </span>
              {value === selected ? <Icon name="close" /> : <span>{formatNumber(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
