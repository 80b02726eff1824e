import type { FileImport } from '@sluice/client';
import { useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { readFailedFile } from './import-report.ts';
import type { MetadataImport } from './use-metadata-import.ts';

interface ImportActionsProps {
  readonly metadataImport: MetadataImport;
  readonly status: FileImport;
  /** Called with the objects that were not applied, as a text to correct. */
  readonly onCorrect: (text: string) => void;
}

/** Longest text that a field of the page takes. */
const CORRECTED_BYTES_MAX = 2 * 1024 * 1024;

/** What to do after an import or a dry run has ended. */
export function ImportActions({ metadataImport, status, onCorrect }: ImportActionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { file, run, restart } = metadataImport;
  const notApplied = status.total_count - status.success_count;
  const failed = useAction<(found: File) => void | Promise<void>>(async (use) =>
    use(await readFailedFile(client, status)),
  );
  const correct = async (found: File): Promise<void> => {
    if (found.size > CORRECTED_BYTES_MAX) saveFile(found, found.name);
    else onCorrect(await found.text());
  };
  return (
    <>
      <Failure error={failed.failure} />
      {status.dry_run && file === undefined && <p>{t('import.choose-again')}</p>}
      <div className="metadata-import__row">
        {status.dry_run && status.state === 'FINISHED' && file !== undefined && status.changed_count > 0 && (
          <Button kind="primary" onPress={() => run(false)}>
            {t('import.apply')}
          </Button>
        )}
        {notApplied > 0 && (
          <>
            <Button icon="edit" isDisabled={failed.isRunning} onPress={() => void failed.start(correct)}>
              {t('import.correct')}
            </Button>
            <Button
              icon="download"
              isDisabled={failed.isRunning}
              onPress={() => void failed.start((found) => saveFile(found, found.name))}
            >
              {t('import.save-failed')}
            </Button>
          </>
        )}
        <Button onPress={restart}>{t('import.another')}</Button>
      </div>
    </>
  );
}
