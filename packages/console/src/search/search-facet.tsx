import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { FacetValue } from './search-hit.ts';

interface SearchFacetProps {
  readonly title: string;
  readonly values: readonly FacetValue[];
  readonly selected: string | undefined;
  readonly nameOf: (value: string) => string;
  /** Path of the search with this value, or without one. */
  readonly pathOf: (value: string | undefined) => string;
}

/** Values of one property of the loaded results, to narrow them. The selected one leads back. */
export function SearchFacet({ title, values, selected, nameOf, pathOf }: SearchFacetProps) {
  const { formatNumber } = useTranslation();
  if (values.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="search-facet__title">{title}</h2>
      <ul>
        {values.map(({ value, count }) => (
          <li key={value}>
            <Link
              className="search-facet__value"
              to={pathOf(value === selected ? undefined : value)}
              aria-current={value === selected ? 'true' : undefined}
            >
              <span className="search-facet__name">
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
