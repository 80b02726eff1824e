import { type FormEvent, useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { keepRequestId } from '../api/request-id.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';

/** What becomes a datamap. */
export interface DatamapSource {
  readonly sql: string;
  /** Declared type of each parameter of the SQL. */
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
}

interface SaveDatamapDialogProps {
  /** Undefined: the dialog is closed. */
  readonly source: DatamapSource | undefined;
  readonly onClose: () => void;
  /** Called with a sentence about the draft, and the id of the request that stored it. */
  readonly onSaved: (text: string, requestId: string) => void;
}

/** Dialog that saves a statement as a draft of a datamap. The host checks the statement first. */
export function SaveDatamapDialog({ source, onClose, onSaved }: SaveDatamapDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('datamap.save.title')} isOpen={source !== undefined} onClose={onClose}>
      {source !== undefined && <SaveDatamapForm source={source} onClose={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

function SaveDatamapForm({ source, onClose, onSaved }: SaveDatamapDialogProps & { readonly source: DatamapSource }) {
  const { t } = useTranslation();
  const client = useClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving || name.trim() === '') return;
    setSaving(true);
    try {
      const { sql, parameters } = source;
      const sent = keepRequestId();
      const body = { name, description, sql, parameters: [...parameters] };
      await client.api.createDatamap({ body, onResponse: sent.onResponse });
      onSaved(t('datamap.save.saved', { name: name.trim() }), sent.id);
      onClose();
    } catch (error) {
      setFailure(error);
      setSaving(false);
    }
  };
  const described = failure === undefined ? undefined : describeError(failure, t);
  return (
    <form onSubmit={(event) => void save(event)}>
      {described !== undefined && (
        <Problem
          title={described.title}
          message={described.message}
          reference={
            described.requestId === undefined ? undefined : { label: t('run.error.request'), id: described.requestId }
          }
          copyLabels={[t('run.error.copy'), t('run.error.copied')]}
        />
      )}
      <TextField label={t('datamap.save.name')} value={name} onChange={setName} isRequired autoFocus />
      <TextField label={t('datamap.save.description')} value={description} onChange={setDescription} lines={3} />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="primary" type="submit" isDisabled={isSaving || name.trim() === ''}>
          {t('datamap.save.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}
