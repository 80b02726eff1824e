import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { IconButton } from './button.tsx';
import { announce } from './live-regions.tsx';
import { useClipboard } from './use-clipboard.ts';
import './copy-button.css';

interface CopyButtonProps {
  readonly text: string;
  /** Accessible name of the button, such as "Copy the link". */
  readonly label: string;
}

/** Copies a string to the clipboard. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const copy = useClipboard();
  const [isCopied, setCopied] = useState(false);
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      size="s"
      label={label}
      onPress={async () => {
        if (!(await copy(text))) return;
        setCopied(true);
        announce(t('action.copied'));
      }}
    />
  );
}

/** A link, secret or command to copy. */
export function CopiedText({ text, label }: CopyButtonProps) {
  return (
    <p className="copied-text">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </p>
  );
}
