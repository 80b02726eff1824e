import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { ItemGrant } from './grant-edits.ts';

const KINDS = ['user', 'role', 'client'] as const;
const NAME_CHARACTERS_MAX = 320;

/** Form that adds a grant to those of an item, or replaces the grant of the recipient. */
export function NewGrant({ onAdd }: { readonly onAdd: (grant: ItemGrant) => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ItemGrant['kind']>('user');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const isComplete = name.trim() !== '' && expiresTs !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete) return;
    onAdd({ kind, name: name.trim(), expires_ts: expiresTs });
    setName('');
  };
  return (
    <form className="item-form__grant" onSubmit={submit}>
      <SelectField
        label={t('item.grants.kind')}
        value={kind}
        choices={KINDS.map((id) => ({ id, label: t(`item.grants.kind.${id}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t(`item.grants.name.${kind}`)}
        value={name}
        maxLength={NAME_CHARACTERS_MAX}
        autoComplete="off"
        onChange={setName}
      />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <div>
        <Button type="submit" icon="plus" isDisabled={!isComplete}>
          {t('item.grants.add')}
        </Button>
      </div>
    </form>
  );
}
