import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type FileSource, formatOfName, formatOfText, IMPORT_FORMATS, type ImportFormat } from './checked-file.ts';
import { keepPastedText, readPastedText } from './pasted-text.ts';
import './metadata-import.css';

interface ImportSourceProps {
  /** Text that the field begins with, such as the failed lines of an import. Default: what was pasted before. */
  readonly text: string | undefined;
  readonly isChecking: boolean;
  readonly onCheck: (source: FileSource) => void;
}

const EXTENSIONS = ['.csv', '.json', '.ndjson', '.jsonl', '.yaml', '.yml'];
const EXAMPLE = 'type,id,field,description,tags\nTABLE,demo.vega.flights,,One row each flight,aviation;us';

/** Form into which a file is dropped or a text is pasted. */
export function ImportSource({ text: given, isChecking, onCheck }: ImportSourceProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => given ?? readPastedText());
  const [chosen, setChosen] = useState<ImportFormat | 'auto'>('auto');
  const change = (next: string): void => {
    setText(next);
    keepPastedText(next);
  };
  const checkFile = (file: File): void =>
    onCheck({
      name: file.name,
      format: chosen === 'auto' ? (formatOfName(file.name) ?? 'csv') : chosen,
      content: file,
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '' || isChecking) return;
    const format = chosen === 'auto' ? formatOfText(text) : chosen;
    onCheck({ name: t('import.pasted'), format, content: new Blob([text]) });
  };
  return (
    <form className="metadata-import" onSubmit={submit}>
      <FileDrop label={t('import.drop')} button={t('import.choose')} extensions={EXTENSIONS} onFile={checkFile} />
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
        <Button kind="primary" type="submit" isDisabled={text.trim() === '' || isChecking}>
          {t('import.check')}
        </Button>
      </div>
    </form>
  );
}
