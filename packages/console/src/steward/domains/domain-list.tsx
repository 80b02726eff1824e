import { useTranslation } from '../../i18n/translate.tsx';
import { Link } from '../../router/link.tsx';
import { domainPath } from '../../router/object-paths.ts';
import { DataTable, Pager } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/failure.tsx';
import { MarkdownExcerpt } from '../../ui/markdown.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { DOMAIN_PAGE_SIZE, useDomainList } from './use-domain.ts';

/** A description has one line here, and may be 100,000 characters long. */
const DESCRIPTION_CHARACTERS = 200;

interface DomainListProps {
  readonly from: number;
  readonly onMove: (from: number) => void;
}

/** All domains of the tenant, each a link to its page. */
export function DomainList({ from, onMove }: DomainListProps) {
  const { t, formatNumber } = useTranslation();
  const page = useDomainList(from);
  return (
    <Loaded query={page}>
      {({ total, data }) => (
        <>
          <DataTable
            label={t('describe.domain.all')}
            items={data}
            idOf={({ id }) => id}
            empty={
              <EmptyState icon="catalog" title={t('describe.domain.none')} message={t('describe.domain.none.about')} />
            }
            columns={[
              {
                id: 'name',
                title: t('label.name'),
                cell: ({ id, name }) => (
                  <Link to={domainPath(id)}>
                    <VisibleText text={name} />
                  </Link>
                ),
              },
              {
                id: 'description',
                title: t('property.description'),
                cell: ({ description }) =>
                  description !== null && <MarkdownExcerpt text={description} characters={DESCRIPTION_CHARACTERS} />,
              },
              {
                id: 'owner',
                title: t('label.owner'),
                cell: ({ owner }) => owner !== null && <VisibleText text={owner} />,
              },
              {
                id: 'objects',
                title: t('describe.domain.objects'),
                isNumber: true,
                cell: ({ object_count: count }) => formatNumber(count),
              },
            ]}
          />
          <Pager label={t('describe.domain.all')} from={from} size={DOMAIN_PAGE_SIZE} total={total} onMove={onMove} />
        </>
      )}
    </Loaded>
  );
}
