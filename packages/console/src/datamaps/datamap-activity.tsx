import type { ApiOperationTypes, FoundDatamap } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { describeError } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { catalogPath } from '../router/object-paths.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { notify } from '../ui/notifications.tsx';
import { RatingField } from '../ui/rating-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { parseTableName } from './table-name.ts';
import './datamap.css';

type Activity = ApiOperationTypes['setDatamapActivity']['body'];

/** The user's favourite and rating of a datamap, with the average of all. */
export function DatamapActivity({ record }: { readonly record: FoundDatamap }) {
  const { t, formatNumber } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  // Controls stay enabled meanwhile: a disabled one would lose the focus.
  const { start: change } = useAction(
    (body: Activity) => client.api.setDatamapActivity({ params: { id: record.id }, body }),
    {
      invalidates: [QUERY_KEYS.search('datamap')],
      onDone: ({ result }) =>
        // Activity is not a change of the datamap, so its tag stays.
        void queries.setQueryData(
          QUERY_KEYS.datamap(record.id),
          (before: Versioned<FoundDatamap> | undefined) => before && { ...before, value: result },
        ),
      onFailed(error) {
        const { title, message } = describeError(error, t);
        notify({ tone: 'danger', text: t('datamap.activity.failed', { title, message }) });
      },
    },
  );
  const { is_favourite: isFavourite, rating } = record.user_activity;
  const average = Math.round(record.average_rating * 10) / 10;
  return (
    <div className="datamap-activity">
      <Button
        icon="heart"
        aria-pressed={isFavourite === true}
        onPress={() => void change({ is_favourite: isFavourite !== true })}
      >
        {t(isFavourite === true ? 'object.favourite' : 'datamap.favourite.off')}
      </Button>
      <RatingField
        label={t('datamap.rating')}
        value={rating}
        nameOf={(count) => t('datamap.stars', { count })}
        onChange={(stars) => void change({ rating: stars })}
      />
      {rating !== null && (
        <Button kind="quiet" size="s" onPress={() => void change({ rating: null })}>
          {t('datamap.rating.remove')}
        </Button>
      )}
      <span className="datamap-activity__average">
        {average === 0 ? t('datamap.rating.none') : t('datamap.rating.average', { rating: formatNumber(average) })}
      </span>
    </div>
  );
}

/** Tables and views that a datamap reads. Null: it was saved by a version that did not note them. */
export function DatamapReads({ reads }: { readonly reads: readonly string[] | null }) {
  const { t } = useTranslation();
  if (reads === null) return <p className="datamap-reads__none">{t('datamap.reads.unknown')}</p>;
  if (reads.length === 0) return <p className="datamap-reads__none">{t('datamap.reads.none')}</p>;
  return (
    <ul className="datamap-reads" aria-label={t('datamap.reads')}>
      {reads.map((name) => {
        const parts = parseTableName(name);
        const path = parts?.length === 3 ? catalogPath(...parts) : undefined;
        const text = <VisibleText text={parts?.join('.') ?? name} />;
        return (
          <li key={name}>
            <Icon name="table" />
            {path === undefined ? <span>{text}</span> : <Link to={path}>{text}</Link>}
          </li>
        );
      })}
    </ul>
  );
}

/** Reads a datamap, which counts as a view of the user. */
export function useDatamap(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.datamap(id),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getDatamap({ params: { id }, signal, ...options })),
  });
}

/** Statement of a datamap, to read. Null: it has none. */
export function DatamapSql({ sql }: { readonly sql: string | null }) {
  const { t } = useTranslation();
  if (sql === null) return <p className="datamap-reads__none">{t('datamap.no-statement')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className="datamap-sql" tabIndex={0} aria-label={t('label.statement')}>
      <pre>
        <VisibleText text={sql} lines="preserve" />
      </pre>
    </section>
  );
}
