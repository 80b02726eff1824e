import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';
import { RoleChoice } from './account-fields.tsx';
import type { AdminRole } from './use-admin.ts';

interface NewAccountFormProps {
  readonly roles: readonly AdminRole[];
  /** Field for the name of the account. */
  readonly field: Pick<Parameters<typeof TextField>[0], 'label' | 'description' | 'type' | 'maxLength'>;
  /** Name of the button that creates the account. */
  readonly action: string;
  readonly onCreate: (name: string, roles: string[]) => Promise<void>;
  readonly onClose: () => void;
}

/** Form that creates an account with a name and roles. */
export function NewAccountForm({ roles, field, action, onCreate, onClose }: NewAccountFormProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const name = text.trim();
  const { start, isRunning, failure } = useAction(() => onCreate(name, [...chosen]), {
    invalidates: [QUERY_KEYS.admin],
  });
  return (
    <Stack as="form" onSubmit={() => name !== '' && start()}>
      <Failure error={failure} />
      <TextField {...field} value={text} onChange={setText} isRequired autoFocus autoComplete="off" />
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isDisabled={isRunning || name === ''}>
          {action}
        </Button>
      </DialogActions>
    </Stack>
  );
}
