import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { GrantDialog, NewGrantDialog } from './grant-dialog.tsx';
import { RecordList } from './record-list.tsx';
import { GRANT_PAGE_SIZE, GRANTEE_KINDS, type Grant, useGrants, useNameSuggestions } from './use-grants.ts';

const GRANT_FILTERS = ['item', ...GRANTEE_KINDS] as const;
const NAME_MAX = 320;

/** Grants of all marketplace items: who may download which item, until when. */
export function GrantsList() {
  const { t, formatTime } = useTranslation();
  const state = useListState();
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<Grant>();
  const by = GRANT_FILTERS.find((each) => each === state.text('by')) ?? 'user';
  const suggestions = useNameSuggestions(by, state.words);
  return (
    <RecordList
      state={state}
      page={useGrants({ by, name: state.words, from: state.from })}
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
      <NewGrantDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      <GrantDialog grant={opened} onClose={() => setOpened(undefined)} />
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
