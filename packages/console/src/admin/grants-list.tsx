import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, useClient } from '../api/use-client.ts';
import { useNames } from '../api/use-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { dateText, expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Stack } from '../ui/layout.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useDebouncedValue } from '../ui/use-debounced-value.ts';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { type OpenRecord, RecordDialog, RecordForm } from './record-dialog.tsx';
import { RecordList } from './record-list.tsx';
import { useAccountNames } from './use-account-names.ts';
import { useHolders } from './use-admin.ts';
import { GRANT_PAGE_SIZE, GRANTEE_KINDS, type Grant, type GranteeKind, useGrants } from './use-grants.ts';

const GRANT_FILTERS = ['item', ...GRANTEE_KINDS] as const;
const NAME_MAX = 320;

/** Grants of all marketplace items: who may download which item, until when. */
export function GrantsList() {
  const { t, formatTime } = useTranslation();
  const state = useListState();
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<Grant>();
  const by = GRANT_FILTERS.find((each) => each === state.text('by')) ?? 'user';
  const { names: suggestions } = useNames(by, state.searchText);
  const client = useClient();
  const params = opened && paramsOf(opened);
  const close = (): void => setOpened(undefined);
  return (
    <RecordList
      state={state}
      page={useGrants({ by, name: state.searchText, from: state.from })}
      filters={
        <SelectField
          label={t('admin.grants.by')}
          value={by}
          choices={GRANT_FILTERS.map((id) => ({ id, label: id === 'item' ? t('label.item') : t(`grantee.${id}`) }))}
          onChange={(next) => state.search({ by: next, q: undefined })}
        />
      }
      search={{ label: t(`admin.grants.name.${by}`), hasLabel: true, maxLength: NAME_MAX, suggestions }}
      newLabel={t('admin.grant.new')}
      onNew={() => setCreating(true)}
      label={t('admin.grants')}
      idOf={({ item_id: id, kind, name: grantee }) => `${id}\n${kind}\n${grantee}`}
      onOpen={setOpened}
      empty={<EmptyState icon="market" title={t('admin.grants.none')} />}
      columns={[
        { id: 'item', title: t('label.item'), cell: ({ item_title: title }) => <VisibleText text={title} /> },
        { id: 'grantee', title: t('admin.grant.grantee'), cell: (grant) => <Grantee grant={grant} /> },
        { id: 'end', title: t('expiry'), cell: (grant) => <GrantEnd grant={grant} /> },
        { id: 'granted', title: t('admin.grant.granted'), cell: ({ granted_ts: time }) => formatTime(time) },
        { id: 'by', title: t('admin.grant.granted-by'), cell: ({ granted_by: user }) => <VisibleText text={user} /> },
      ]}
      pages={{ label: t('admin.grants.pages'), size: GRANT_PAGE_SIZE }}
    >
      <Dialog title={t('admin.grant.new')} isOpen={isCreating} onClose={() => setCreating(false)}>
        <NewGrantForm onClose={() => setCreating(false)} />
      </Dialog>
      <RecordDialog
        title={t('admin.grant.title')}
        kind="grant"
        id={params}
        read={(options) => client.api.getGrant({ params: params ?? { item_id: '', kind: '', name: '' }, ...options })}
        onClose={close}
      >
        {(open) => <GrantForm {...open} onClose={close} />}
      </RecordDialog>
    </RecordList>
  );
}

function Grantee({ grant: { kind, name } }: { readonly grant: Grant }) {
  const { t } = useTranslation();
  return (
    <>
      <VisibleText text={name} /> <Badge>{t(`grantee.${kind}`)}</Badge>
    </>
  );
}

function GrantEnd({ grant: { expires_ts: time, is_expired: isExpired } }: { readonly grant: Grant }) {
  const { t, formatTime } = useTranslation();
  if (time === null) return t('expiry.never');
  return (
    <>
      {formatTime(time)} {isExpired && <Badge tone="danger">{t('admin.grant.expired')}</Badge>}
    </>
  );
}

const paramsOf = ({ item_id, kind, name }: Grant) => ({ item_id, kind, name });

const chosenOf = ({ expires_ts: time }: Grant): ChosenExpiry =>
  time === null ? { choice: 'never', date: '' } : { choice: 'date', date: dateText(time) };

interface GrantFormProps extends OpenRecord<Grant> {
  readonly onClose: () => void;
}

/** Form that changes when a grant ends, or removes it. */
function GrantForm({ record, reload, onClose }: GrantFormProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const { value: before } = record;
  const [expiry, setExpiry] = useState(() => chosenOf(before));
  // The field has only the day: an end that the user left alone stays as it is, to the millisecond.
  const isKept = expiry.choice === 'date' && before.expires_ts !== null && expiry.date === dateText(before.expires_ts);
  const expiresTs = isKept ? before.expires_ts : expiryOf(expiry.choice, expiry.date, Date.now());
  const options = { params: paramsOf(before), ...ifUnchanged(record) };
  const [name, item] = [visibleText(before.name), visibleText(before.item_title)];
  const endsSooner = expiresTs != null && (before.expires_ts === null || expiresTs < before.expires_ts);
  return (
    <RecordForm
      heading={t('admin.grant.about', { name, item })}
      target={before.item_id}
      impact={
        <Impact
          losses={endsSooner ? [t('impact.grant-sooner', { name, time: formatTime(expiresTs) })] : []}
          isChanged={expiresTs !== before.expires_ts}
        />
      }
      confirmations={{
        remove: {
          label: t('admin.grant.remove'),
          action: t('admin.grant.remove.now'),
          impact: <GrantLosses grant={before} name={name} item={item} />,
        },
      }}
      isValid={expiresTs !== undefined}
      send={(step) =>
        step === 'remove'
          ? client.api.deleteGrant(options)
          : client.api.updateGrant({ ...options, body: { expires_ts: expiresTs ?? null } })
      }
      onDone={(step) => {
        const text = t(step === 'remove' ? 'admin.grant.removed' : 'admin.grant.changed', { name, item });
        notice(text, { action: 'GRANT_MARKETPLACE_ITEM', target: before.item_id });
        onClose();
      }}
      onReload={reload}
      onClose={onClose}
    >
      {(step) => step === 'change' && <ExpiryField value={expiry} onChange={setExpiry} />}
    </RecordForm>
  );
}

interface GrantLossesProps {
  readonly grant: Grant;
  readonly name: string;
  readonly item: string;
}

/** Says who can no longer download an item, by name: of a role, its accounts. */
function GrantLosses({ grant: { kind, name: grantee, is_expired: isExpired }, name, item }: GrantLossesProps) {
  const { t } = useTranslation();
  const namesOf = useAccountNames();
  const holders = useHolders(kind === 'role' ? [grantee] : []);
  if (isExpired) return <Impact losses={[]} />;
  const accounts = (holders ?? []).map((holder) => holder.name);
  return (
    <Impact losses={[t(`admin.impact.grant.${kind}`, { name, item })]}>
      {accounts.length > 0 && (
        <p>{t('admin.impact.grant.members', { count: accounts.length, names: namesOf(accounts) })}</p>
      )}
    </Impact>
  );
}

/** Form that grants an item to a user, a role or a service account. */
function NewGrantForm({ onClose }: Pick<GrantFormProps, 'onClose'>) {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const [itemText, setItemText] = useState('');
  const [kind, setKind] = useState<GranteeKind>('user');
  const [nameText, setNameText] = useState('');
  const [expiry, setExpiry] = useState<ChosenExpiry>({ choice: 'days-90', date: '' });
  const [item, name] = [itemText.trim(), nameText.trim()];
  const [settledItem, settledName] = [useDebouncedValue(item), useDebouncedValue(name)];
  const items = useNames('item', settledItem);
  const names = useNames(kind, settledName);
  // A name that does not exist is marked when the user stops typing. The host decides: the mark does not keep the form from being sent.
  const problemOf = (of: 'item' | GranteeKind, { isUnknown }: typeof names, isSettled: boolean, text: string) =>
    isUnknown && isSettled ? t(`admin.grant.unknown.${of}`, { name: visibleText(text) }) : undefined;
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const isComplete = item !== '' && name !== '' && expiresTs !== undefined;
  const { start, isRunning, failure } = useAction(
    () =>
      client.api.createGrant({
        body: { item_id: item, kind, name, ...(expiresTs == null ? {} : { expires_ts: expiresTs }) },
      }),
    {
      invalidates: [QUERY_KEYS.admin],
      onDone() {
        const text = t('admin.grant.about', { name: visibleText(name), item: visibleText(item) });
        notice(text, { action: 'GRANT_MARKETPLACE_ITEM', target: item });
        onClose();
      },
    },
  );
  return (
    <Stack as="form" onSubmit={() => isComplete && start()}>
      <Failure error={failure} />
      <TextField
        label={t('admin.grants.name.item')}
        value={itemText}
        maxLength={NAME_MAX}
        suggestions={items.names}
        onChange={setItemText}
        problem={problemOf('item', items, settledItem === item, item)}
        validationBehavior="aria"
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
          setNameText('');
        }}
      />
      <TextField
        label={t(`admin.grants.name.${kind}`)}
        value={nameText}
        maxLength={NAME_MAX}
        suggestions={names.names}
        onChange={setNameText}
        problem={problemOf(kind, names, settledName === name, name)}
        validationBehavior="aria"
        isRequired
        autoComplete="off"
      />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isDisabled={isRunning || !isComplete}>
          {t('admin.grant.create')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
