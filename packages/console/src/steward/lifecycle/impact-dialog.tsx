import type { FoundDatamap } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Link } from '../../router/link.tsx';
import { itemPath } from '../../router/object-paths.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Impact } from '../../ui/impact.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { ParameterLosses } from './parameter-draft.ts';
import './impact-dialog.css';

interface ImpactDialogProps {
  readonly datamap: FoundDatamap;
  readonly title: string;
  /** Name of the button that goes on. */
  readonly action: string;
  /** Change of the datamap. Default: `withdrawn`. */
  readonly change?: 'withdrawn' | 'deleted';
  /** Losses that a change of its parameters causes. Default: none. */
  readonly parameters?: ParameterLosses;
  readonly isOpen: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const NO_LOSSES: ParameterLosses = { gone: [], required: [], narrowed: [] };

/** Asks before a datamap is withdrawn or deleted, and says who uses it. */
export function ImpactDialog(props: ImpactDialogProps) {
  const { datamap, title, action, change = 'withdrawn', parameters = NO_LOSSES, isOpen, onConfirm, onClose } = props;
  const { t } = useTranslation();
  const items = useDependentItems(datamap.id, isOpen);
  return (
    <ConfirmDialog
      title={title}
      action={action}
      cancel={t('action.cancel')}
      isOpen={isOpen}
      isWaiting={items.data === undefined && items.error === null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <DatamapImpact datamap={datamap} change={change} parameters={parameters} items={items} />
    </ConfirmDialog>
  );
}

interface DatamapImpactProps extends Required<Pick<ImpactDialogProps, 'datamap' | 'change' | 'parameters'>> {
  readonly items: ReturnType<typeof useDependentItems>;
}

function DatamapImpact({ datamap, change, parameters, items: { data, error } }: DatamapImpactProps) {
  const { t } = useTranslation();
  const { query_count: runs, favourite_count: favourites } = datamap;
  const itemsText = (count: number): string =>
    count === 0 ? t('lifecycle.impact.items.none') : t(`lifecycle.impact.items.${change}`, { count });
  const losses = [
    ...(change === 'deleted' ? [t('lifecycle.impact.gone')] : []),
    ...(change === 'withdrawn' ? [t('lifecycle.impact.users'), t('lifecycle.impact.links')] : []),
    ...(['gone', 'required', 'narrowed'] as const).flatMap((kind) =>
      parameters[kind].map((name) => t(`lifecycle.impact.parameter.${kind}`, { name })),
    ),
    ...(data === undefined ? [] : [itemsText(data.total)]),
  ];
  return (
    <div className="datamap-impact">
      <Failure error={error} />
      {data === undefined && error === null && <p>{t('lifecycle.impact.looking')}</p>}
      <Impact losses={losses}>
        {data !== undefined && data.total > 0 && (
          <ul className="datamap-impact__items">
            {data.data.map(({ id, title, owner }) => (
              <li key={id}>
                <Link to={itemPath(id)}>
                  <VisibleText text={title} />
                </Link>{' '}
                <span className="datamap-impact__owner">
                  <VisibleText text={owner} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {data !== undefined && data.total > data.data.length && (
          <p>{t('lifecycle.impact.more', { count: data.total - data.data.length })}</p>
        )}
      </Impact>
      <p>{t('lifecycle.impact.use', { runs, favourites })}</p>
    </div>
  );
}

/** Items that are listed. The host counts the others. */
const LISTED_MAX = 50;

/** Returns the marketplace items that cannot be downloaded while a datamap is not published. */
function useDependentItems(datamapId: string, isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.dependentItems(datamapId),
    queryFn: ({ signal }) => client.stream.listMarketplace({ query: { datamap: datamapId, size: LISTED_MAX }, signal }),
    enabled: isEnabled,
    // What was true before another change must not be shown as what this one breaks.
    gcTime: 0,
    staleTime: 0,
  });
}
