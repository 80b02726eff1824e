import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { visibleText } from '../../result/cell-text.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-drop.tsx';
import { type KeptFile, readKeptFile } from './kept-file.ts';

interface KeptChoiceProps {
  readonly kept: KeptFile | undefined;
  readonly onChange: (kept: KeptFile | undefined) => void;
}

/** Choice of a checkpoint that the user stored earlier: only it shows that the newest records were removed. */
export function KeptChoice({ kept, onChange }: KeptChoiceProps) {
  const { t, formatTime } = useTranslation();
  const [rejected, setRejected] = useState<string>();
  const open = async (file: File) => {
    const read = await readKeptFile(file);
    setRejected(read === undefined ? file.name : undefined);
    onChange(read);
  };
  return (
    <div className="verify-dialog__kept">
      <p>
        {kept === undefined
          ? t('audit.verify.kept.about')
          : t('audit.verify.kept.chosen', { number: kept.number, time: formatTime(kept.issuedMs) })}
      </p>
      <div className="verify-dialog__buttons">
        <FileButton
          label={t('audit.verify.kept.choose')}
          accept={['.json', 'application/json']}
          onOpen={(file) => void open(file)}
        />
        {kept !== undefined && <Button onPress={() => onChange(undefined)}>{t('audit.verify.kept.remove')}</Button>}
      </div>
      {rejected !== undefined && (
        <p role="alert" className="verify-dialog__problem">
          {t('audit.verify.kept.problem', { name: visibleText(rejected) })}
        </p>
      )}
    </div>
  );
}
