import { useState } from 'react';
import { violationsIn } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { CopiedText } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { FileButton } from '../ui/file-drop.tsx';
import { Row, Section, Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { ConfigurationChanges } from './configuration-changes.tsx';
import { type Applied, effectOf, mediaTypeOf } from './configuration-diff.ts';

/** Limit of the host. */
const FILE_BYTES_MAX = 1024 * 1024;

/** Text that was typed and not applied. It survives a change of the tab, and is never stored: it may contain a secret. */
const unapplied = { text: '' };

interface Plan {
  /** The text whose changes these are. */
  readonly text: string;
  readonly changes: Applied;
}

/** Changes the tenant to match a configuration file, after its changes have been shown. */
export function ApplyFile() {
  const { t } = useTranslation();
  const [text, setText] = useState(unapplied.text);
  const [plan, setPlan] = useState<Plan>();
  const [applied, setApplied] = useState<Applied>();
  const [isTooLarge, setTooLarge] = useState(false);
  const client = useClient();
  const planning = useAction(
    (body: string) => {
      setPlan(undefined);
      const headers = { 'content-type': mediaTypeOf(body) };
      return client.api.applyConfiguration({ query: { dry_run: true }, body, headers });
    },
    { onDone: ({ input, result }) => setPlan({ text: input, changes: result }) },
  );
  const change = (next: string): void => {
    setText(next);
    unapplied.text = next;
    setTooLarge(false);
  };
  const open = async (file: File) => {
    if (file.size > FILE_BYTES_MAX) setTooLarge(true);
    else change(await file.text());
  };
  return (
    <Stack>
      <Stack as="form" onSubmit={() => text.trim() !== '' && planning.start(text)}>
        <p>{t('admin.apply.about')}</p>
        <TextField
          label={t('admin.apply.file')}
          description={t('admin.apply.file.about')}
          value={text}
          lines={12}
          spellCheck="false"
          onChange={change}
          problem={isTooLarge ? t('admin.apply.too-large') : undefined}
        />
        <Row>
          <FileButton
            label={t('admin.apply.open')}
            accept={['.yaml', '.yml', '.json']}
            onOpen={(file) => void open(file)}
          />
          <Button kind="primary" type="submit" isDisabled={planning.isRunning || text.trim() === ''}>
            {t(planning.isRunning ? 'admin.apply.planning' : 'admin.apply.plan')}
          </Button>
        </Row>
        <Failure error={planning.failure} />
        <FileViolations error={planning.failure} />
      </Stack>
      {plan !== undefined && <PlannedFile plan={plan} isCurrent={plan.text === text} onApplied={setApplied} />}
      {applied !== undefined && (
        <AppliedFile
          applied={applied}
          isAsShown={plan !== undefined && effectOf(plan.changes) === effectOf(applied)}
          onClose={() => {
            setApplied(undefined);
            setPlan(undefined);
          }}
        />
      )}
    </Stack>
  );
}

interface PlannedFileProps {
  readonly plan: Plan;
  /** The text is the one whose changes are shown. */
  readonly isCurrent: boolean;
  readonly onApplied: (applied: Applied) => void;
}

function PlannedFile({ plan, isCurrent, onApplied }: PlannedFileProps) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { changes, text } = plan;
  const count = changes.created_count + changes.updated_count;
  const { start, isRunning, failure } = useAction(
    () => client.api.applyConfiguration({ body: text, headers: { 'content-type': mediaTypeOf(text) } }),
    {
      invalidates: [QUERY_KEYS.admin],
      onDone({ result }) {
        onApplied(result);
        if (!result.dry_run) notice(t('admin.apply.applied'), { action: 'APPLY_CONFIGURATION' });
      },
    },
  );
  return (
    <Section title={t('admin.apply.changes')}>
      <ConfigurationChanges applied={changes} />
      <Failure error={failure} />
      <FileViolations error={failure} />
      {failure !== undefined && <p>{t('admin.apply.all-or-nothing')}</p>}
      {!isCurrent && <p role="status">{t('admin.apply.outdated')}</p>}
      {count > 0 && (
        <Row>
          <Button kind="danger" isDisabled={isRunning || !isCurrent} onPress={() => void start()}>
            {t('admin.apply.now', { count })}
          </Button>
        </Row>
      )}
    </Section>
  );
}

/** Every violation that the host has found in a file, with its line and place. */
function FileViolations({ error }: { readonly error: unknown }) {
  const { t, formatNumber } = useTranslation();
  const violations = violationsIn(error);
  if (violations.length === 0) return null;
  return (
    <ul>
      {violations.map(({ path, message, line }) => (
        <li key={`${path}\n${message}`}>
          {line !== undefined && `${t('admin.apply.line', { line: formatNumber(line) })} `}
          <code>
            <VisibleText text={path} />
          </code>{' '}
          <VisibleText text={message} />
        </li>
      ))}
    </ul>
  );
}

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
function AppliedFile({ applied, isAsShown, onClose }: AppliedFileProps) {
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
          <CopiedText text={text} label={label} />
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
