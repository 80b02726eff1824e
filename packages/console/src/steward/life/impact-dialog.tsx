import type { FoundDatamap } from '@sluice/client';
import { useTranslation } from '../../i18n/translate.tsx';
import { Link } from '../../router/link.tsx';
import { itemPath } from '../../router/object-paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { useDependentItems } from './use-dependent-items.ts';
import './impact-dialog.css';

interface ImpactDialogProps {
  readonly datamap: FoundDatamap;
  readonly title: string;
  /** Name of the button that goes on. */
  readonly action: string;
  readonly isOpen: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a published datamap is withdrawn, and says who uses it. */
export function ImpactDialog({ datamap, title, action, isOpen, onConfirm, onClose }: ImpactDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog role="alertdialog" title={title} isOpen={isOpen} onClose={onClose}>
      {isOpen && <Impact datamap={datamap} />}
      <DialogActions>
        <Button onPress={onClose}>{t('life.keep')}</Button>
        <Button
          kind="danger"
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Impact({ datamap }: Pick<ImpactDialogProps, 'datamap'>) {
  const { t } = useTranslation();
  const { data, error } = useDependentItems(datamap.id, true);
  return (
    <div className="datamap-impact">
      <p>{t('life.impact.users')}</p>
      <p>{t('life.impact.use', { runs: datamap.query_count, favourites: datamap.favourite_count })}</p>
      <Failure error={error ?? undefined} />
      {data === undefined && error === null && <p role="status">{t('life.impact.looking')}</p>}
      {data !== undefined && (
        <>
          <p className="datamap-impact__count">{t('life.impact.items', { count: data.items.length })}</p>
          <ul className="datamap-impact__items">
            {data.items.map(({ id, title }) => (
              <li key={id}>
                <Link to={itemPath(id)}>
                  <VisibleText text={title} />
                </Link>
              </li>
            ))}
          </ul>
          {!data.isWhole && <p>{t('life.impact.more')}</p>}
        </>
      )}
    </div>
  );
}
