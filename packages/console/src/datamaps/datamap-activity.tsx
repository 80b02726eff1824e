import type { FoundDatamap } from '@sluice/client';
import { describeError } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notifications.tsx';
import { RatingField } from '../ui/rating-field.tsx';
import { useDatamapActivity } from './use-datamap.ts';
import './datamap.css';

/** The user's favourite and rating of a datamap, with the average of all. */
export function DatamapActivity({ record }: { readonly record: FoundDatamap }) {
  const { t, formatNumber } = useTranslation();
  const { mutate, isPending } = useDatamapActivity(record.id, (error) => {
    const { title, message } = describeError(error, t);
    notify({ tone: 'danger', text: t('datamap.activity.failed', { title, message }) });
  });
  // Controls stay enabled meanwhile: a disabled one would lose the focus.
  const change = (activity: Parameters<typeof mutate>[0]) => isPending || mutate(activity);
  const { is_favourite: isFavourite, rating } = record.user_activity;
  const average = Math.round(record.average_rating * 10) / 10;
  return (
    <div className="datamap-activity">
      <Button
        icon="heart"
        aria-pressed={isFavourite === true}
        onPress={() => change({ is_favourite: isFavourite !== true })}
      >
        {t(isFavourite === true ? 'object.favourite' : 'datamap.favourite.off')}
      </Button>
      <RatingField
        label={t('datamap.rating')}
        value={rating}
        nameOf={(count) => t('datamap.stars', { count })}
        onChange={(stars) => change({ rating: stars })}
      />
      {rating !== null && (
        <Button kind="quiet" size="s" onPress={() => change({ rating: null })}>
          {t('datamap.rating.remove')}
        </Button>
      )}
      <span className="datamap-activity__average">
        {average === 0 ? t('datamap.rating.none') : t('datamap.rating.average', { rating: formatNumber(average) })}
      </span>
    </div>
  );
}
