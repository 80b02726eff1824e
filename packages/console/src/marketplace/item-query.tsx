import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import type { MarketItem } from './access-state.ts';
import './item-query.css';

export type ItemQuery = MarketItem['queries'][number];

interface ItemQueriesProps {
  readonly queries: readonly ItemQuery[];
  /** Position of the query that is shown. */
  readonly shown: number;
  readonly onShow: (index: number) => void;
  /** Renders the content that the page adds to a query, such as a preview. */
  readonly extra: (query: ItemQuery) => ReactNode;
}

/** The queries of an item with their columns: tabs if there are several. */
export function ItemQueries({ queries, shown, onShow, extra }: ItemQueriesProps) {
  const { t } = useTranslation();
  const [first] = queries;
  if (first !== undefined && queries.length === 1)
    return (
      <section className="item-query" aria-label={t('market.query')}>
        <h2 className="item-query__title">
          <VisibleText text={first.name} />
        </h2>
        <QueryColumns query={first} />
        {extra(first)}
      </section>
    );
  return (
    <Tabs
      label={t('market.queries.title')}
      selected={String(shown)}
      onSelect={(id) => onShow(Number(id))}
      items={queries.map((query, index) => ({
        id: String(index),
        title: visibleText(query.name),
        content: (
          <div className="item-query">
            <QueryColumns query={query} />
            {extra(query)}
          </div>
        ),
      }))}
    />
  );
}

/** Names, types and descriptions of the columns that a query returns. */
function QueryColumns({ query: { columns, is_published: isPublished } }: { readonly query: ItemQuery }) {
  const { t } = useTranslation();
  if (!isPublished)
    return (
      <p>
        <Badge tone="warning">{t('market.withdrawn')}</Badge> {t('market.withdrawn.about')}
      </p>
    );
  const isDescribed = columns.some(({ description: text }) => text != null && text !== '');
  const description = {
    id: 'description',
    title: t('property.description'),
    cell: ({ description: text }: (typeof columns)[number]) => text != null && text !== '' && <Markdown text={text} />,
  };
  return (
    <DataTable
      label={t('columns.title')}
      columns={[
        { id: 'name', title: t('label.column'), cell: ({ name }) => <VisibleText text={name} /> },
        {
          id: 'type',
          title: t('label.type'),
          isTerm: true,
          cell: ({ type }) => (
            <code>
              <VisibleText text={type} />
            </code>
          ),
        },
        ...(isDescribed ? [description] : []),
      ]}
      items={columns.map((column, index) => ({ ...column, index }))}
      idOf={({ index }) => String(index)}
      empty={<p className="item-query__empty">{t('market.columns.unknown')}</p>}
    />
  );
}
