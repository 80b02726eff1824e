import { type FormEvent, useState } from 'react';
import { violationsIn } from '../api/describe-error.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import type { ItemGrant } from './grant-edits.ts';
import { useIsUnknownRecipient } from './use-is-unknown-recipient.ts';
import './item-form.css';

const KINDS = ['user', 'role', 'client'] as const;
const NAME_CHARACTERS_MAX = 320;

interface NewGrantProps {
  /** Id of the item. */
  readonly id: string;
  readonly onAdd: (grant: ItemGrant) => void;
}

/**
 * Form that adds a grant to those of an item, or replaces the grant of the recipient. A recipient that does not exist is marked while the user
 * types, and the host checks it again.
 */
export function NewGrant({ id, onAdd }: NewGrantProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [kind, setKind] = useState<ItemGrant['kind']>('user');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const isComplete = name.trim() !== '' && expiresTs !== undefined;
  const { start, isRunning, failure } = useAction(
    (grant: ItemGrant) =>
      client.stream.putMarketplaceGrants({ params: { id }, query: { dry_run: true }, body: { grants: [grant] } }),
    {
      onDone({ input }) {
        onAdd(input);
        setName('');
      },
    },
  );
  const [rejected, setRejected] = useState('');
  const [violation] = violationsIn(failure);
  const isUnknown = useIsUnknownRecipient(id, kind, name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete) return;
    setRejected(name);
    void start({ kind, name: name.trim(), expires_ts: expiresTs });
  };
  return (
    <form className="item-form__grant" onSubmit={submit}>
      <SelectField
        label={t('item.grants.kind')}
        value={kind}
        choices={KINDS.map((id) => ({ id, label: t(`grantee.${id}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t(`item.grants.name.${kind}`)}
        value={name}
        maxLength={NAME_CHARACTERS_MAX}
        autoComplete="off"
        validationBehavior="aria"
        onChange={setName}
        problem={
          violation !== undefined && name === rejected
            ? violation.message
            : isUnknown
              ? t(`item.grants.unknown.${kind}`, { name: visibleText(name.trim()) })
              : undefined
        }
      />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <div>
        <Button type="submit" icon="plus" isDisabled={!isComplete || isRunning}>
          {t('item.grants.add')}
        </Button>
      </div>
      <Failure error={violation === undefined ? failure : undefined} />
    </form>
  );
}
