import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { SEARCH_KINDS, type SearchAddress, type ShownKind, searchPath } from '../router/search-address.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import './search.css';

interface SearchKindsProps {
  readonly address: SearchAddress;
  /** Undefined: not known yet. */
  readonly totals: Readonly<Record<ShownKind, number | undefined>>;
}

/** Links to the results of each kind, with their numbers. */
export function SearchKinds({ address, totals }: SearchKindsProps) {
  const { t, formatNumber } = useTranslation();
  const mayDraft = useCurrentUser().permissions.includes('datamap:write');
  const numbers = SEARCH_KINDS.map((kind) => totals[kind]).filter((total) => total !== undefined);
  const all = numbers.length === 0 ? undefined : numbers.reduce((sum, total) => sum + total, 0);
  const kinds = [
    { kind: undefined, text: t('search.kind.all'), total: all },
    ...SEARCH_KINDS.map((kind) => ({ kind, text: t(`search.kind.${kind}`), total: totals[kind] })),
    ...(mayDraft ? [{ kind: 'draft' as const, text: t('search.kind.draft'), total: totals.draft }] : []),
  ];
  return (
    <nav className="search-kinds" aria-label={t('search.kinds')}>
      {kinds.map(({ kind, text, total }) => (
        <Link
          key={text}
          className="search-kinds__kind"
          to={searchPath({ ...address, kind })}
          aria-current={kind === address.kind ? 'true' : undefined}
        >
          {kind !== undefined && <Icon name={KIND_ICONS[kind]} />}
          <span>{text}</span>
          <span className="search-kinds__total">{total === undefined ? '–' : formatNumber(total)}</span>
        </Link>
      ))}
    </nav>
  );
}

/** Picture of each kind of objects. */
export const KIND_ICONS: Readonly<Record<ShownKind, IconName>> = {
  datamap: 'datamap',
  table: 'table',
  view: 'view',
  item: 'market',
  draft: 'edit',
};
