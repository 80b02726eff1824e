import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { ImportState, MetadataImport } from './use-metadata-import.ts';

interface ImportProgressProps {
  readonly state: ImportState;
  readonly onStop: MetadataImport['stop'];
  readonly onFollow: MetadataImport['follow'];
}

/** Progress of an import, or the error that hides it from the page. */
export function ImportProgress({ state, onStop, onFollow }: ImportProgressProps) {
  const { t, formatNumber } = useTranslation();
  switch (state.kind) {
    case 'choosing':
      return <Failure error={state.failure} />;
    case 'running': {
      const { status, isDryRun } = state;
      if (status === undefined)
        return (
          <>
            <ProgressBar label={t('import.sending')} value={undefined} text="" />
            {isDryRun && <Button onPress={onStop}>{t('action.stop')}</Button>}
          </>
        );
      const text = t('import.progress', {
        done: formatNumber(status.processed_count),
        total: formatNumber(status.total_count),
      });
      return (
        <>
          <ProgressBar
            label={t(isDryRun ? 'import.comparing' : 'import.applying')}
            value={status.progress}
            text={text}
          />
          {isDryRun && <p className="metadata-import__about">{t('import.readable', { count: status.total_count })}</p>}
          {!isDryRun && <p className="metadata-import__about">{t('import.applying.about')}</p>}
          <Button icon="stop" onPress={onStop}>
            {t('action.stop')}
          </Button>
        </>
      );
    }
    case 'unconfirmed':
      return (
        <>
          <Failure error={state.failure} />
          <p>{t(state.isDryRun ? 'import.unconfirmed.dry-run' : 'import.unconfirmed')}</p>
        </>
      );
    case 'lost':
      if (state.failure === undefined) return <ProgressBar label={t('import.looking')} value={undefined} text="" />;
      return (
        <>
          <Failure error={state.failure}>
            <Button size="s" onPress={() => onFollow(state.importId)}>
              {t('import.lost.again')}
            </Button>
          </Failure>
          <p>{t('import.lost')}</p>
        </>
      );
    default:
      return null;
  }
}
