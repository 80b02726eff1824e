import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Note, Stack } from '../../ui/layout.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { RoleChoice } from '../account-fields.tsx';
import type { AdminRole } from '../use-admin.ts';
import { checkLines } from './check-lines.ts';
import { INVITED_MAX, type InviteLine, readInviteLines } from './invite-lines.ts';
import { InviteTable } from './invite-table.tsx';
import { csvOfLinks, linksOf } from './invited-links.ts';
import { SentInvitations } from './sent-invitations.tsx';
import { type SeveralInvitations, useInviteSeveral } from './use-invite-several.ts';

/** List that was pasted and not sent. It survives a closed dialog, and is never stored. */
const unsent = { text: '' };

interface InviteSeveralDialogProps {
  readonly roles: readonly AdminRole[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/**
 * Dialog that invites the users of a list. Faults are marked by line before anything is sent. While links are shown, only the button closes
 * it: a click beside it would lose them.
 */
export function InviteSeveralDialog({ roles, isOpen, onClose }: InviteSeveralDialogProps) {
  const { t } = useTranslation();
  const invitations = useInviteSeveral();
  const isHeld = invitations.results !== undefined;
  return (
    <Dialog title={t('admin.invite-several')} width="l" isOpen={isOpen} {...(isHeld ? {} : { onClose })}>
      {isOpen && <InviteSeveral roles={roles} invitations={invitations} onClose={onClose} />}
    </Dialog>
  );
}

interface InviteSeveralProps extends Omit<InviteSeveralDialogProps, 'isOpen'> {
  readonly invitations: SeveralInvitations;
}

function InviteSeveral({ roles, invitations, onClose }: InviteSeveralProps) {
  const client = useClient();
  const [text, setText] = useState(unsent.text);
  const [defaultRoles, setDefaultRoles] = useState<readonly string[]>([]);
  const [checked, setChecked] = useState<readonly InviteLine[]>();
  const { results, isRunning, invite, forget } = invitations;
  const checking = useAction((lines: readonly InviteLine[]) => checkLines(client, lines), {
    onDone: ({ result }) => setChecked(result),
  });
  const change = (next: string): void => {
    setText(next);
    unsent.text = next;
  };
  if (checked !== undefined && results !== undefined)
    return (
      <SentInvitations
        lines={checked}
        results={results}
        isRunning={isRunning}
        links={linksOf(checked, results)}
        csv={csvOfLinks(checked, results)}
        onRetry={(lines) => void invite(lines)}
        onClose={() => {
          // What was not invited is there again for another try.
          const written = text.split(/\r\n|\r|\n/);
          const left = checked.filter(
            ({ email, fault }) => fault?.kind !== 'exists' && results.get(email)?.state !== 'invited',
          );
          change(left.map(({ line }) => written[line - 1] ?? '').join('\n'));
          forget();
          onClose();
        }}
      />
    );
  if (checked !== undefined)
    return (
      <CheckedList lines={checked} onInvite={(lines) => void invite(lines)} onBack={() => setChecked(undefined)} />
    );
  const lines = readInviteLines(text, { roles: roles.map(({ name }) => name), defaultRoles });
  return (
    <ListForm
      {...{ roles, text, lines, defaultRoles }}
      isChecking={checking.isRunning}
      failure={checking.failure}
      onChange={change}
      onChooseRoles={setDefaultRoles}
      onCheck={() => void checking.start(lines)}
      onClose={onClose}
    />
  );
}

interface ListFormProps extends Pick<InviteSeveralProps, 'roles' | 'onClose'> {
  readonly text: string;
  readonly lines: readonly InviteLine[];
  readonly defaultRoles: readonly string[];
  readonly isChecking: boolean;
  readonly failure: unknown;
  readonly onChange: (text: string) => void;
  readonly onChooseRoles: (roles: readonly string[]) => void;
  readonly onCheck: () => void;
}

function ListForm(props: ListFormProps) {
  const { roles, text, lines, defaultRoles, isChecking, failure, onChange, onChooseRoles, onCheck, onClose } = props;
  const { t } = useTranslation();
  const isTooLong = lines.length > INVITED_MAX;
  const mayCheck = lines.length > 0 && !isTooLong && !isChecking;
  return (
    <Stack as="form" onSubmit={() => mayCheck && onCheck()}>
      <Failure error={failure} />
      <TextField
        label={t('admin.invite-several.list')}
        description={t('admin.invite-several.list.about')}
        value={text}
        lines={8}
        spellCheck="false"
        autoFocus
        onChange={onChange}
        problem={isTooLong ? t('admin.invite-several.too-many', { most: INVITED_MAX }) : undefined}
      />
      <RoleChoice
        label={t('admin.invite-several.default-roles')}
        roles={roles}
        chosen={defaultRoles}
        onChange={onChooseRoles}
      />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="primary" type="submit" isDisabled={!mayCheck}>
          {t(isChecking ? 'admin.invite-several.checking' : 'admin.invite-several.check')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

interface CheckedListProps {
  readonly lines: readonly InviteLine[];
  readonly onInvite: (lines: readonly InviteLine[]) => void;
  readonly onBack: () => void;
}

/** The list with its faults, before anything is sent. */
function CheckedList({ lines, onInvite, onBack }: CheckedListProps) {
  const { t } = useTranslation();
  const valid = lines.filter(({ fault }) => fault === undefined);
  const faults = lines.length - valid.length;
  return (
    <Stack>
      <Note role="status">
        {faults === 0 ? t('admin.invite-several.no-faults') : t('admin.invite-several.faults', { count: faults })}
      </Note>
      <InviteTable lines={lines} results={undefined} />
      <DialogActions>
        <Button onPress={onBack}>{t('admin.back')}</Button>
        <Button kind="primary" isDisabled={valid.length === 0} onPress={() => onInvite(valid)}>
          {t('admin.invite-several.now', { count: valid.length })}
        </Button>
      </DialogActions>
    </Stack>
  );
}
