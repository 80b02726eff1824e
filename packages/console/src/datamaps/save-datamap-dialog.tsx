import { useState } from 'react';
import { locationIn } from '../api/describe-error.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';

/** A position in a statement; both count from 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Statement that is saved as a datamap. */
export interface DatamapSource {
  readonly sql: string;
  /** Declared type of each parameter of the SQL. */
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
}

interface SaveDatamapDialogProps {
  /** Undefined: the dialog is closed. */
  readonly source: DatamapSource | undefined;
  readonly onClose: () => void;
  /** Returns the position in the text that the user sees of a position in the statement. */
  readonly inText: (location: TextPosition) => TextPosition;
  /** Called when the user goes to the position of a violation in the statement. The dialog keeps what is typed. */
  readonly onShowPosition: (location: TextPosition) => void;
  /** Called with the draft, and the id of the request that stored it. */
  readonly onSaved: (draft: { readonly id: string; readonly name: string }, requestId: string) => void;
}

const NOTHING_TYPED = { name: '', description: '' };

/** Dialog that saves a statement as a draft of a datamap. The host checks the statement first. */
export function SaveDatamapDialog(props: SaveDatamapDialogProps) {
  const { t } = useTranslation();
  const { source, onClose, onSaved } = props;
  const [typed, setTyped] = useState(NOTHING_TYPED);
  return (
    <Dialog title={t('datamap.save')} isOpen={source !== undefined} onClose={onClose}>
      {source !== undefined && (
        <SaveDatamapForm
          {...props}
          source={source}
          typed={typed}
          onType={setTyped}
          onSaved={(...saved) => {
            setTyped(NOTHING_TYPED);
            onSaved(...saved);
          }}
        />
      )}
    </Dialog>
  );
}

interface SaveDatamapFormProps extends SaveDatamapDialogProps {
  readonly source: DatamapSource;
  readonly typed: typeof NOTHING_TYPED;
  readonly onType: (typed: typeof NOTHING_TYPED) => void;
}

function SaveDatamapForm(props: SaveDatamapFormProps) {
  const { source, typed, inText, onType, onShowPosition, onClose, onSaved } = props;
  const { t } = useTranslation();
  const client = useClient();
  const { name, description } = typed;
  const { start, isRunning, failure } = useAction<void, { readonly id: string }>(
    (_, options) => {
      const { sql, parameters } = source;
      const body = { name, description, sql, parameters: [...parameters] };
      return client.api.createDatamap({ body, ...options });
    },
    {
      onDone({ result: { id }, requestId }) {
        onClose();
        onSaved({ id, name: name.trim() }, requestId);
      },
    },
  );
  const location = locationIn(failure);
  return (
    <Stack as="form" onSubmit={() => name.trim() !== '' && start()}>
      <Failure
        error={failure}
        describe={(message) => (location === undefined ? message : t('run.error.at', { ...inText(location), message }))}
      >
        {location !== undefined && (
          <Button size="s" onPress={() => onShowPosition(location)}>
            {t('datamap.save.show-in-editor')}
          </Button>
        )}
      </Failure>
      <TextField
        label={t('label.name')}
        value={name}
        onChange={(text) => onType({ ...typed, name: text })}
        isRequired
        autoFocus
      />
      <TextField
        label={t('property.description')}
        value={description}
        onChange={(text) => onType({ ...typed, description: text })}
        description={t('property.description.about')}
        lines={3}
      />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isDisabled={isRunning || name.trim() === ''}>
          {t('action.save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
