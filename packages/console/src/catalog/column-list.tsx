import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { TagList } from '../ui/tag-list.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

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

/** Columns with their types and descriptions. */
export function ColumnList({ columns }: { readonly columns: readonly ListedColumn[] }) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const typed = words.trim().toLowerCase();
  // Names may be equal, so a row is known by its position.
  const matches = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ name, description }) => `${name} ${description ?? ''}`.toLowerCase().includes(typed));
  const hidden = matches.length - shown;
  return (
    <div className="column-list">
      {columns.length >= SEARCHED_FROM && (
        <TextField
          label={t('columns.search')}
          isLabelHidden
          icon="search"
          placeholder={t('columns.search')}
          value={words}
          onChange={setWords}
        />
      )}
      <DataTable
        label={t('columns.title')}
        items={matches.slice(0, shown)}
        idOf={({ index }) => String(index)}
        empty={<p className="column-list__empty">{t(columns.length === 0 ? 'columns.none' : 'columns.no-match')}</p>}
        columns={[
          {
            id: 'name',
            title: t('columns.name'),
            cell: ({ name }) => (
              <code>
                <VisibleText text={name} />
              </code>
            ),
          },
          {
            id: 'type',
            title: t('columns.type'),
            cell: ({ type }) => (
              <code className="column-list__type">
                <VisibleText text={type} />
              </code>
            ),
          },
          {
            id: 'description',
            title: t('columns.description'),
            cell: ({ description, tags }) => (
              <div className="column-list__about">
                {description !== null && description !== '' && <VisibleText text={description} />}
                <TagList label={t('object.tags')} tags={tags} />
              </div>
            ),
          },
        ]}
      />
      {hidden > 0 && <Button onPress={() => setShown(shown + SHOWN)}>{t('columns.more', { count: hidden })}</Button>}
    </div>
  );
}
