import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { saveFile } from '../ui/save-file.ts';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CutExport, EXPORT_FORMATS, type ExportFormat, readExport } from './read-export.ts';
import './import/metadata-import.css';

/** Form that saves the present metadata as a file that an import accepts. */
export function ExportMetadata() {
  const { t } = useTranslation();
  const client = useClient();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [prefix, setPrefix] = useState('');
  const [isAll, setAll] = useState(false);
  const [objects, setObjects] = useState(0);
  const [saved, setSaved] = useState<{ readonly name: string; readonly count: number }>();
  const { start, isRunning, failure } = useAction(async () => {
    setObjects(0);
    setSaved(undefined);
    const query = { ...(prefix === '' ? {} : { prefix }), ...(isAll ? { all: true } : {}) };
    const exported = await readExport(client, { format, query, onProgress: setObjects }).catch((error: unknown) => {
      throw error instanceof CutExport ? new Error(t('export.cut')) : error;
    });
    const name = `metadata.${format}`;
    saveFile(exported.blob, name);
    setSaved({ name, count: exported.objects });
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void start();
  };
  return (
    <form className="metadata-import" onSubmit={submit}>
      <Failure error={failure} />
      <p className="metadata-import__about">{t('export.about')}</p>
      <SelectField
        label={t('import.format')}
        value={format}
        choices={EXPORT_FORMATS.map((id) => ({ id, label: t(`import.format.${id}`) }))}
        onChange={setFormat}
      />
      <TextField
        label={t('export.prefix')}
        description={t('export.prefix.about')}
        value={prefix}
        onChange={setPrefix}
      />
      <Checkbox label={t('export.all')} description={t('export.all.about')} isSelected={isAll} onChange={setAll} />
      <div className="metadata-import__row">
        <Button kind="primary" type="submit" icon="download" isDisabled={isRunning}>
          {t('action.export')}
        </Button>
      </div>
      {isRunning && (
        <ProgressBar label={t('export.running')} value={undefined} text={t('import.objects', { count: objects })} />
      )}
      {saved !== undefined && (
        <p className="metadata-import__title" role="status">
          <Icon name="check" />
          {t('export.saved', saved)}
        </p>
      )}
    </form>
  );
}
