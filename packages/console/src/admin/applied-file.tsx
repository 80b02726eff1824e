import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { ConfigurationChanges } from './configuration-changes.tsx';
import type { Applied } from './configuration-diff.ts';
import './shown-once-dialog.css';

interface AppliedFileProps {
  readonly applied: Applied;
  /** The effect is the one that was shown before. */
  readonly isAsShown: boolean;
  readonly onClose: () => void;
}

/**
 * Dialog with the changes of a configuration file, and the invitations and secrets that the host shows once. Only its button closes the
 * dialog: a click beside it would lose them.
 */
export function AppliedFile({ applied, isAsShown, onClose }: AppliedFileProps) {
  const { t } = useTranslation();
  const secrets = applied.changes.flatMap(({ name, invitation, client_secret: secret }) => [
    ...(invitation === null ? [] : [{ name, text: invitation.url, label: t('admin.invite.copy') }]),
    ...(secret === null ? [] : [{ name, text: secret, label: t('admin.secret.copy') }]),
  ]);
  return (
    <Dialog title={t(applied.dry_run ? 'admin.apply.only-shown' : 'admin.apply.applied')} width="l" isOpen>
      {applied.dry_run && <p>{t('admin.apply.only-shown.about')}</p>}
      {secrets.length > 0 && <p>{t('admin.apply.once')}</p>}
      {secrets.map(({ name, text, label }) => (
        <div key={`${name}\n${label}`}>
          <p>{visibleText(name)}</p>
          <p className="shown-once">
            <code>{text}</code>
            <CopyButton text={text} label={label} />
          </p>
        </div>
      ))}
      {!isAsShown && !applied.dry_run && (
        <>
          <p role="status">{t('admin.apply.not-as-shown')}</p>
          <ConfigurationChanges applied={applied} />
        </>
      )}
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {t(applied.dry_run ? 'admin.back' : 'action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
