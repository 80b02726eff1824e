import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { Note, Row, Stack } from '../../ui/layout.tsx';
import { notify } from '../../ui/notifications.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useClipboard } from '../../ui/use-clipboard.ts';
import type { InviteLine } from './invite-lines.ts';
import { InviteTable } from './invite-table.tsx';
import type { LineResult } from './use-invite-several.ts';

interface SentInvitationsProps {
  readonly lines: readonly InviteLine[];
  readonly results: ReadonlyMap<string, LineResult>;
  readonly isRunning: boolean;
  /** All links as text, to paste. Empty: no user is invited yet. */
  readonly links: string;
  /** All links as CSV. */
  readonly csv: string;
  /** Sends the lines that failed again. */
  readonly onRetry: (lines: readonly InviteLine[]) => void;
  readonly onClose: () => void;
}

/** Results of a list, one a line, with the links that are shown only now. */
export function SentInvitations(props: SentInvitationsProps) {
  const { lines, results, isRunning, links, csv, onRetry, onClose } = props;
  const { t } = useTranslation();
  const copy = useClipboard();
  const all = [...results.values()];
  const invited = all.filter(({ state }) => state === 'invited').length;
  const done = all.filter(({ state }) => state !== 'waiting').length;
  const failed = lines.filter(({ email, fault }) => fault === undefined && results.get(email)?.state === 'failed');
  return (
    <Stack>
      <Note role="status">
        {isRunning
          ? t('admin.invite-several.progress', { done, total: all.length })
          : t('admin.invite-several.done', { count: invited })}
      </Note>
      {!isRunning && failed.length > 0 && <p>{t('admin.invite-several.some-failed', { count: failed.length })}</p>}
      <InviteTable lines={lines} results={results} />
      {links !== '' && (
        <Row>
          <Button
            icon="copy"
            isDisabled={isRunning}
            onPress={async () => {
              if (await copy(links)) notify({ tone: 'success', text: t('admin.invite-several.copied') });
            }}
          >
            {t('admin.invite-several.copy')}
          </Button>
          <Button
            icon="download"
            isDisabled={isRunning}
            onPress={() => saveFile(new Blob([csv], { type: 'text/csv' }), 'invitations.csv')}
          >
            {t('admin.invite-several.save')}
          </Button>
        </Row>
      )}
      <DialogActions>
        {failed.length > 0 && (
          <Button isDisabled={isRunning} onPress={() => onRetry(failed)}>
            {t('admin.invite-several.retry')}
          </Button>
        )}
        <Button kind="primary" isDisabled={isRunning} onPress={onClose}>
          {t('action.close')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
