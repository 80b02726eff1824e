import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { useCurrentUser } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type FileSource, formatOfName, formatOfText, IMPORT_FORMATS, type ImportFormat } from './file-source.ts';
import { readPastedText, savePastedText } from './pasted-text.ts';
import './metadata-import.css';

interface ImportSourceProps {
  /** Text that the field begins with, such as the failed lines of an import. Default: what was pasted before. */
  readonly text: string | undefined;
  readonly onCheck: (source: FileSource) => void;
}

const EXTENSIONS = ['.csv', '.json', '.ndjson', '.jsonl', '.yaml', '.yml'];
/** Beginning of a file that shows its format, where its name does not. */
const GUESSED_BYTES = 4096;
const EXAMPLE = 'type,id,field,description,tags\nTABLE,demo.vega.flights,,One row each flight,aviation;us';

/** Form into which a file is dropped or text is pasted. */
export function ImportSource({ text: given, onCheck }: ImportSourceProps) {
  const { t } = useTranslation();
  const { tenant, id } = useCurrentUser();
  const owner = `${tenant} ${id}`;
  const [text, setText] = useState(() => given ?? readPastedText(owner));
  const [chosen, setChosen] = useState<ImportFormat | 'auto'>('auto');
  const [isOther, setOther] = useState(false);
  const change = (next: string): void => {
    setText(next);
    savePastedText(owner, next);
  };
  const checkFile = async (file: File): Promise<void> => {
    setOther(false);
    const named = chosen === 'auto' ? formatOfName(file.name) : chosen;
    // A file that cannot be read has its failure when it is sent.
    const start =
      named === undefined
        ? await file
            .slice(0, GUESSED_BYTES)
            .text()
            .catch(() => '')
        : '';
    onCheck({ name: file.name, format: named ?? formatOfText(start), content: file });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    const format = chosen === 'auto' ? formatOfText(text) : chosen;
    onCheck({ name: t('import.pasted'), format, content: new Blob([text]) });
  };
  return (
    <form className="metadata-import" onSubmit={submit}>
      <FileDrop
        label={t('import.drop')}
        button={t('import.choose')}
        extensions={EXTENSIONS}
        onFile={(file) => void checkFile(file)}
        onOther={() => setOther(true)}
      >
        {isOther && (
          <p className="metadata-import__other" role="alert">
            {t('import.drop.other')}
          </p>
        )}
      </FileDrop>
      <TextField
        label={t('import.paste')}
        value={text}
        onChange={change}
        lines={10}
        placeholder={EXAMPLE}
        spellCheck="false"
      />
      <div className="metadata-import__row">
        <SelectField
          label={t('import.format')}
          value={chosen}
          choices={(['auto', ...IMPORT_FORMATS] as const).map((id) => ({ id, label: t(`import.format.${id}`) }))}
          onChange={setChosen}
        />
        <Button kind="primary" type="submit" isDisabled={text.trim() === ''}>
          {t('import.check')}
        </Button>
      </div>
      <p className="metadata-import__about">{t('import.dry-run.about')}</p>
    </form>
  );
}
