import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { visibleText } from '../../result/cell-text.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-drop.tsx';
import { readCheckpointFile, type SavedCheckpoint } from './checkpoint-file.ts';

interface CheckpointChoiceProps {
  readonly saved: SavedCheckpoint | undefined;
  readonly onChange: (saved: SavedCheckpoint | undefined) => void;
}

/** Choice of a checkpoint that the user stored earlier: only it shows that the newest records were removed. */
export function CheckpointChoice({ saved, onChange }: CheckpointChoiceProps) {
  const { t, formatTime } = useTranslation();
  const [rejected, setRejected] = useState<string>();
  const open = async (file: File) => {
    const read = await readCheckpointFile(file);
    setRejected(read === undefined ? file.name : undefined);
    onChange(read);
  };
  return (
    <div className="verify-dialog__kept">
      <p>
        {saved === undefined
          ? t('audit.verify.saved.about')
          : t('audit.verify.saved.chosen', { number: saved.number, time: formatTime(saved.issuedMs) })}
      </p>
      <div className="verify-dialog__buttons">
        <FileButton
          label={t('audit.verify.saved.choose')}
          accept={['.json', 'application/json']}
          onOpen={(file) => void open(file)}
        />
        {saved !== undefined && <Button onPress={() => onChange(undefined)}>{t('audit.verify.saved.remove')}</Button>}
      </div>
      {rejected !== undefined && (
        <p role="alert" className="verify-dialog__problem">
          {t('audit.verify.saved.problem', { name: visibleText(rejected) })}
        </p>
      )}
    </div>
  );
}
