import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { NewGrantDialog } from './new-grant-dialog.tsx';
import { SearchedList } from './searched-list.tsx';
import {
  GRANT_PAGE_SIZE,
  GRANTEE_KINDS,
  type Grant,
  type GrantSearch,
  useGrants,
  useNameSuggestions,
} from './use-grants.ts';
import { useSettledText } from './use-settled-text.ts';

/** Grants of all marketplace items: who may download which item, until when. */
export function GrantsList() {
  const { t, formatTime } = useTranslation();
  const [search, setSearch] = useState<GrantSearch>({ by: 'user', name: '', from: 0 });
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<Grant>();
  const name = useSettledText(search.name.trim());
  const page = useGrants({ ...search, name });
  const suggestions = useNameSuggestions(search.by, name);
  return (
    <SearchedList
      search={
        <>
          <SelectField
            label={t('admin.grants.by')}
            value={search.by}
            choices={(['item', ...GRANTEE_KINDS] as const).map((id) => ({
              id,
              label: id === 'item' ? t('label.item') : t(`grantee.${id}`),
            }))}
            onChange={(by) => setSearch({ by, name: '', from: 0 })}
          />
          <TextField
            label={t(`admin.grants.name.${search.by}`)}
            icon="search"
            type="search"
            value={search.name}
            maxLength={320}
            suggestions={suggestions}
            onChange={(text) => setSearch({ ...search, name: text, from: 0 })}
          />
        </>
      }
      newLabel={t('admin.grant.new')}
      onNew={() => setCreating(true)}
      page={page}
      table={(entries) => (
        <DataTable
          label={t('admin.grants')}
          items={entries}
          idOf={({ item_id: id, kind, name: grantee }) => `${id}\n${kind}\n${grantee}`}
          onOpen={setOpened}
          empty={<EmptyState icon="market" title={t('admin.grants.none')} />}
          columns={[
            {
              id: 'item',
              title: t('label.item'),
              cell: ({ item_title: title }) => <VisibleText text={title} />,
            },
            { id: 'grantee', title: t('admin.grant.grantee'), cell: (grant) => <Grantee grant={grant} /> },
            { id: 'end', title: t('expiry'), cell: (grant) => <GrantEnd grant={grant} /> },
            { id: 'granted', title: t('admin.grant.granted'), cell: ({ granted_ts: time }) => formatTime(time) },
            { id: 'by', title: t('admin.grant.granted-by'), cell: ({ granted_by: by }) => <VisibleText text={by} /> },
          ]}
        />
      )}
      pagesLabel={t('admin.grants.pages')}
      from={search.from}
      size={GRANT_PAGE_SIZE}
      onMove={(from) => setSearch({ ...search, from })}
    >
      <NewGrantDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      <GrantDialog grant={opened} onClose={() => setOpened(undefined)} />
    </SearchedList>
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
