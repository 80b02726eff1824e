import { useEffect, useEffectEvent, useState } from 'react';
import { formatBytes } from '../../i18n/format-bytes.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { Note, Stack } from '../../ui/layout.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { FileToCheck } from '../download-store.ts';
import { CheckResult } from './check-result.tsx';
import { queryIdIn } from './find-receipt.ts';
import { UnreadableFileError } from './run-hash-worker.ts';
import { type FileCheckState, useFileCheck } from './use-file-check.ts';

interface CheckDialogProps {
  readonly check: FileToCheck;
  readonly onClose: () => void;
}

/** Dialog that hashes a file and compares it with the receipt of its download. */
export function CheckDialog({ check, onClose }: CheckDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('downloads.check')} width="l" isOpen onClose={onClose}>
      <CheckForm check={check} onClose={onClose} />
    </Dialog>
  );
}

function CheckForm({ check: { file: dropped, download }, onClose }: CheckDialogProps) {
  const { t } = useTranslation();
  const { state, start, stop } = useFileCheck();
  const [file, setFile] = useState<File>();
  const [text, setText] = useState('');
  const [isOther, setOther] = useState(false);
  const queryId = queryIdIn(text);
  const isInvalid = text.trim() !== '' && queryId === undefined;
  const checkFile = (chosen: File): void => {
    setFile(chosen);
    setOther(false);
    if (!isInvalid) start({ file: chosen, queryId, expected: download });
  };
  const checkDropped = useEffectEvent(() => {
    if (dropped !== undefined) checkFile(dropped);
  });
  useEffect(() => checkDropped(), []);
  const isRunning = state.kind === 'hashing' || state.kind === 'looking';
  return (
    <Stack as="form" onSubmit={() => file !== undefined && checkFile(file)}>
      <Note size="s">{t('downloads.check.about')}</Note>
      <FileDrop
        label={t('downloads.check.drop')}
        button={t('downloads.check.choose')}
        onFile={checkFile}
        onOther={() => setOther(true)}
      >
        {isOther && <p role="alert">{t('downloads.check.drop.other')}</p>}
      </FileDrop>
      {download !== undefined && (
        <Note size="s">
          {t('downloads.check.expected')} <VisibleText text={download.fileName} />
        </Note>
      )}
      <TextField
        label={t('downloads.check.id')}
        value={text}
        onChange={setText}
        description={t('downloads.check.id.about')}
        problem={isInvalid ? t('downloads.check.id.invalid') : undefined}
        spellCheck="false"
        autoComplete="off"
      />
      <div aria-live="polite">
        <Outcome state={state} />
      </div>
      <DialogActions {...(state.kind === 'done' ? { onClose } : { onCancel: onClose })}>
        {/* Keys, because a button that becomes the one that submits while it is pressed would submit. */}
        {isRunning ? (
          <Button key="stop" icon="stop" onPress={stop}>
            {t('action.stop')}
          </Button>
        ) : (
          <Button key="again" kind="primary" type="submit" isDisabled={file === undefined || isInvalid}>
            {t('downloads.check.again')}
          </Button>
        )}
      </DialogActions>
    </Stack>
  );
}

function Outcome({ state }: { readonly state: FileCheckState }) {
  const { t, language } = useTranslation();
  switch (state.kind) {
    case 'idle':
      return null;
    case 'failed':
      return state.failure instanceof UnreadableFileError ? (
        <p role="alert">{t('downloads.check.unreadable')}</p>
      ) : (
        <Failure error={state.failure} />
      );
    case 'hashing':
      return (
        <ProgressBar
          label={t('downloads.check.hashing')}
          value={state.bytesMax === 0 ? undefined : Math.min(1, state.bytes / state.bytesMax)}
          text={t('downloads.check.hashed', {
            size: formatBytes(state.bytes, language),
            total: formatBytes(state.bytesMax, language),
          })}
        />
      );
    case 'looking':
      return <ProgressBar label={t('downloads.check.looking')} value={undefined} text="" />;
    case 'done':
      return <CheckResult file={state.file} result={state.result} />;
  }
}
