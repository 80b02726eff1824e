import type { Client } from '@sluice/client';
import { writeObjects } from '@sluice/contract/metadata-files';
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

const MEDIA_TYPES = { csv: 'text/csv', json: 'application/json', yaml: 'application/yaml' } as const;
type ExportFormat = keyof typeof MEDIA_TYPES;
const EXPORT_FORMATS = Object.keys(MEDIA_TYPES) as ExportFormat[];

/** An export ended early, so the bytes received are not all of it. */
class CutExport extends Error {}

/** A whole export. */
interface ExportedFile {
  readonly blob: Blob;
  readonly objects: number;
}

interface ExportOptions {
  readonly format: ExportFormat;
  readonly query: NonNullable<Parameters<Client['metadata']['exportAll']>[0]>;
  /** Called with the number of objects from time to time. */
  readonly onProgress: (objects: number) => void;
}

const SHOWN_EVERY = 100;

/**
 * Reads an export as a file. It is read as JSON in any format, because CSV does not show whether it is whole.
 * @throws CutExport if it ended early
 */
async function readExport(client: Client, { format, query, onProgress }: ExportOptions): Promise<ExportedFile> {
  const parts: string[] = [];
  let objects = 0;
  const counted = async function* () {
    for await (const object of client.metadata.exportAll(query)) {
      objects += 1;
      if (objects % SHOWN_EVERY === 0) onProgress(objects);
      yield object;
    }
  };
  try {
    for await (const part of writeObjects(format, counted(), () => import('yaml'))) parts.push(part);
  } catch (cause) {
    const isCut = cause instanceof Error && Reflect.get(cause, 'code') === 'incomplete_result';
    throw isCut ? new CutExport('', { cause }) : cause;
  }
  return { blob: new Blob(parts, { type: MEDIA_TYPES[format] }), objects };
}
