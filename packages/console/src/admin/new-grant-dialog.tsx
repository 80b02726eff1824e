import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useChangeNotice } from './audit-log-link.tsx';
import { useRereadAdmin } from './use-admin.ts';
import { GRANTEE_KINDS, type GranteeKind, useNameSuggestions } from './use-grants.ts';
import { useSettledText } from './use-settled-text.ts';

interface NewGrantDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog that grants an item to a user, a role or a service account. */
export function NewGrantDialog({ isOpen, onClose }: NewGrantDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('admin.grant.new')} isOpen={isOpen} onClose={onClose}>
      {isOpen && <NewGrantForm onClose={onClose} />}
    </Dialog>
  );
}

function NewGrantForm({ onClose }: Pick<NewGrantDialogProps, 'onClose'>) {
  const { t } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const notice = useChangeNotice();
  const [item, setItem] = useState('');
  const [kind, setKind] = useState<GranteeKind>('user');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const items = useNameSuggestions('item', useSettledText(item.trim()));
  const names = useNameSuggestions(kind, useSettledText(name.trim()));
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const isComplete = item.trim() !== '' && name.trim() !== '' && expiresTs !== undefined;
  const { start, isRunning, failure } = useAction(async () => {
    try {
      const body = {
        item_id: item.trim(),
        kind,
        name: name.trim(),
        ...(expiresTs === null ? {} : { expires_ts: expiresTs }),
      };
      await client.api.createGrant({ body });
    } finally {
      reread();
    }
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || !(await start())) return;
    const text = t('admin.grant.about', { name: visibleText(name.trim()), item: visibleText(item.trim()) });
    notice(text, { action: 'GRANT_MARKETPLACE_ITEM', target: item.trim() });
    onClose();
  };
  return (
    <form className="dialog-form" onSubmit={(event) => void submit(event)}>
      <Failure error={failure} />
      <TextField
        label={t('admin.grants.name.item')}
        value={item}
        maxLength={320}
        suggestions={items}
        onChange={setItem}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <SelectField
        label={t('admin.grant.grantee')}
        value={kind}
        choices={GRANTEE_KINDS.map((id) => ({ id, label: t(`grantee.${id}`) }))}
        onChange={(next) => {
          setKind(next);
          setName('');
        }}
      />
      <TextField
        label={t(`admin.grants.name.${kind}`)}
        value={name}
        maxLength={320}
        suggestions={names}
        onChange={setName}
        isRequired
        autoComplete="off"
      />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <DialogActions>
        <Button onPress={onClose}>{t('action.close')}</Button>
        <Button kind="primary" type="submit" isDisabled={isRunning || !isComplete}>
          {t('admin.grant.create')}
        </Button>
      </DialogActions>
    </form>
  );
}
