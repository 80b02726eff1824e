import { useTranslation } from '../../i18n/translate.tsx';
import { Link } from '../../router/link.tsx';
import { catalogPath, datamapPath, itemPath } from '../../router/object-paths.ts';
import { DataTable, Pager } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/failure.tsx';
import { Note } from '../../ui/layout.tsx';
import { MarkdownExcerpt } from '../../ui/markdown.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { DOMAIN_PAGE_SIZE, type DomainObject, useDomainObjects } from './use-domain.ts';

const DESCRIPTION_CHARACTERS = 200;
const KINDS = { TABLE: 'table', VIEW: 'view', DATAMAP: 'datamap', ITEM: 'item' } as const;

/** Returns the page of an object. Undefined: its name cannot be in an address. */
const pathOf = ({ type, id, name, catalog, schema }: DomainObject): string | undefined => {
  if (type === 'DATAMAP') return datamapPath(id);
  return type === 'ITEM' ? itemPath(id) : catalogPath(catalog ?? '', schema ?? '', name);
};

interface DomainObjectsProps {
  readonly id: string;
  readonly from: number;
  readonly onMove: (from: number) => void;
}

/** Tables, views, datamaps and items of a domain that the user may see. */
export function DomainObjects({ id, from, onMove }: DomainObjectsProps) {
  const { t } = useTranslation();
  const page = useDomainObjects(id, from);
  return (
    <Loaded query={page}>
      {({ total, data }) => (
        <>
          <DataTable
            label={t('describe.domain.objects')}
            items={data}
            idOf={({ type, id: objectId }) => `${type} ${objectId}`}
            empty={<Note>{t('describe.domain.empty')}</Note>}
            columns={[
              {
                id: 'name',
                title: t('label.name'),
                cell: (object) => {
                  const path = pathOf(object);
                  const isTable = object.type === 'TABLE' || object.type === 'VIEW';
                  const text = <VisibleText text={isTable ? object.id : object.name} />;
                  return path === undefined ? text : <Link to={path}>{text}</Link>;
                },
              },
              { id: 'type', title: t('label.type'), isTerm: true, cell: ({ type }) => t(`search.one.${KINDS[type]}`) },
              {
                id: 'description',
                title: t('property.description'),
                cell: ({ description }) =>
                  description !== null && <MarkdownExcerpt text={description} characters={DESCRIPTION_CHARACTERS} />,
              },
            ]}
          />
          <Pager
            label={t('describe.domain.objects')}
            from={from}
            size={DOMAIN_PAGE_SIZE}
            total={total}
            onMove={onMove}
          />
        </>
      )}
    </Loaded>
  );
}
