import { useState } from 'react';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isQueryName } from './query-name.ts';

/** A tab, or the saved query that it shows. */
interface Renamed {
  /** Undefined: the tab shows no saved query. */
  readonly queryId: string | undefined;
  readonly name: string;
}

interface RenameDialogProps {
  /** Undefined: the dialog is closed. */
  readonly renamed: Renamed | undefined;
  readonly onRenamed: (name: string) => void;
  readonly onClose: () => void;
}

/** Dialog that renames a saved query on the host, or a tab without one in this browser. */
export function RenameDialog({ renamed, onRenamed, onClose }: RenameDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('saved.rename')} isOpen={renamed !== undefined} onClose={onClose}>
      {renamed !== undefined && <RenameForm renamed={renamed} onRenamed={onRenamed} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ renamed, onRenamed, onClose }: RenameDialogProps & { readonly renamed: Renamed }) {
  const { t } = useTranslation();
  const client = useClient();
  const [name, setName] = useState(renamed.name);
  const [isChecked, setChecked] = useState(false);
  const { queryId } = renamed;
  const { start, isRunning, failure } = useAction(
    async (typed: string) => {
      if (queryId === undefined) return;
      await client.api.updateDatamap({ params: { id: queryId }, body: { name: typed, display_name: typed } });
    },
    {
      invalidates: queryId === undefined ? [] : [QUERY_KEYS.savedQueries(), QUERY_KEYS.search('draft')],
      onDone({ input }) {
        onRenamed(input);
        onClose();
      },
    },
  );
  const isValid = isQueryName(name);
  return (
    <Stack
      as="form"
      onSubmit={() => {
        setChecked(true);
        if (isValid) void start(name.trim());
      }}
    >
      <Failure error={failure} />
      <TextField
        label={t('label.name')}
        description={queryId === undefined ? undefined : t('saved.name.about')}
        problem={isChecked && !isValid ? t('saved.name.invalid') : undefined}
        value={name}
        onChange={setName}
        isRequired
        autoFocus
      />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isDisabled={isRunning}>
          {t('action.save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
