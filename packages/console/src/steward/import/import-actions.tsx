import type { FileImport } from '@sluice/client';
import { useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { type FailedRows, readFailedRows, reportFormat } from './failed-rows.ts';
import { readFailedFile } from './import-report.ts';
import type { MetadataImport } from './use-metadata-import.ts';

interface ImportActionsProps {
  readonly metadataImport: MetadataImport;
  readonly status: FileImport;
  /** Called with what was not applied, as rows to correct. */
  readonly onCorrect: (text: string, rows: FailedRows['rows']) => void;
  readonly onRestart: () => void;
}

/** Longest text that a field of the page takes. */
const CORRECTED_BYTES_MAX = 2 * 1024 * 1024;

const saveFailed = (file: File): void => saveFile(file, file.name);

/** Buttons after an import or a dry run has ended: apply it, correct or save the failed rows, import another file. */
export function ImportActions({ metadataImport, status, onCorrect, onRestart }: ImportActionsProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { file, run } = metadataImport;
  const notApplied = status.total_count - status.success_count;
  const { start, isRunning, failure } = useAction<'correct' | 'save'>(async (use) => {
    if (use === 'save') return saveFailed(await readFailedFile(client, status.import_id, reportFormat(status, file)));
    const failed = await readFailedRows(client, status, file);
    if (failed.file.size > CORRECTED_BYTES_MAX) saveFailed(failed.file);
    else onCorrect(await failed.file.text(), failed.rows);
  });
  return (
    <>
      <Failure error={failure} />
      {status.dry_run && file === undefined && <p>{t('import.choose-again')}</p>}
      <div className="metadata-import__row">
        {status.dry_run && status.state === 'FINISHED' && file !== undefined && status.changed_count > 0 && (
          <Button kind="primary" onPress={() => run(false)}>
            {t('import.apply')}
          </Button>
        )}
        {notApplied > 0 && (
          <>
            <Button icon="edit" isDisabled={isRunning} onPress={() => void start('correct')}>
              {t('import.correct')}
            </Button>
            <Button icon="download" isDisabled={isRunning} onPress={() => void start('save')}>
              {t('import.save-failed')}
            </Button>
          </>
        )}
        <Button onPress={onRestart}>{t('import.another')}</Button>
      </div>
    </>
  );
}
