import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { TagList } from '../ui/tag-list.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import './catalog.css';

/** Column of a table or datamap. */
interface ListedColumn {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly tags: readonly string[];
}

/** Columns that are shown at first, and by each "more". A table may have 5,000. */
const SHOWN = 100;
/** Fewer columns are found by looking. */
const SEARCHED_FROM = 12;

/** Column with its position: names may be equal. */
interface NumberedColumn extends ListedColumn {
  readonly index: number;
}

interface ColumnListProps {
  readonly columns: readonly ListedColumn[];
  /** Shows all columns that match the search in place of the table, such as with fields that change them. */
  readonly renderForms?: ((columns: readonly NumberedColumn[]) => ReactNode) | undefined;
}

/** Columns with their types and descriptions. */
export function ColumnList({ columns, renderForms }: ColumnListProps) {
  const { t } = useTranslation();
  const [searchText, setSearchText] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const typed = searchText.trim().toLowerCase();
  const matches: readonly NumberedColumn[] = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ name, description }) => `${name} ${description ?? ''}`.toLowerCase().includes(typed));
  const hidden = matches.length - shown;
  const none = <p className="column-list__empty">{t(columns.length === 0 ? 'columns.none' : 'columns.no-match')}</p>;
  return (
    <div className="column-list">
      {columns.length >= SEARCHED_FROM && (
        <div className="column-list__search">
          <SearchField label={t('columns.search')} searchText={searchText} onSearch={setSearchText} />
        </div>
      )}
      {renderForms === undefined ? (
        <DataTable
          label={t('columns.title')}
          items={matches.slice(0, shown)}
          idOf={({ index }) => String(index)}
          empty={none}
          columns={[
            {
              id: 'name',
              title: t('label.name'),
              cell: ({ name }) => (
                <code>
                  <VisibleText text={name} />
                </code>
              ),
            },
            {
              id: 'type',
              title: t('label.type'),
              isTerm: true,
              cell: ({ type }) => (
                <code className="column-list__type">
                  <VisibleText text={type} />
                </code>
              ),
            },
            {
              id: 'description',
              title: t('property.description'),
              isText: true,
              cell: ({ description, tags }) =>
                !description && tags.length === 0 ? null : (
                  <div className="column-list__about">
                    {description !== null && description !== '' && <Markdown text={description} />}
                    <TagList label={t('property.tags')} tags={tags} />
                  </div>
                ),
            },
          ]}
        />
      ) : matches.length === 0 ? (
        none
      ) : (
        renderForms(matches)
      )}
      {hidden > 0 && renderForms === undefined && (
        <Button onPress={() => setShown(shown + SHOWN)}>{t('columns.more', { count: hidden })}</Button>
      )}
    </div>
  );
}
