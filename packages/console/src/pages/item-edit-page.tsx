import { useState } from 'react';
import { useStoredDrafts } from '../api/use-versioned-edit.ts';
import { useTranslation } from '../i18n/translate.tsx';
import type { MarketItem } from '../marketplace/access-state.ts';
import { DeleteItem, ItemChangeDialog } from '../marketplace/item-change-dialog.tsx';
import type { ItemDraft } from '../marketplace/item-draft.ts';
import { ItemForm } from '../marketplace/item-form.tsx';
import { ItemGrants } from '../marketplace/item-grants.tsx';
import { hasLosses } from '../marketplace/item-losses.ts';
import { grantsDraftId } from '../marketplace/use-grant-edits.ts';
import { useItemEdit } from '../marketplace/use-item-edit.ts';
import { useMarketItem } from '../marketplace/use-market.ts';
import { itemEditPath, itemPath } from '../router/object-paths.ts';
import { navigate } from '../router/router.ts';
import { DiscardButton } from '../steward/discard-button.tsx';
import { SavedNote, useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { ConflictPanel } from '../ui/conflict-panel.tsx';
import { Failure } from '../ui/failure.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { Breadcrumbs, Page } from '../ui/page.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';

/** Page on which an owner creates an item of the marketplace. */
export function ItemCreatePage() {
  const { t } = useTranslation();
  const notice = useChangeNotice();
  return (
    <Page title={t('item.new')} breadcrumbs={<ItemBreadcrumbs />}>
      <ItemEditor
        item={undefined}
        refetch={async () => undefined}
        onSaved={({ id }, requestId) => {
          notice(t('item.saved'), { requestId });
          navigate(itemEditPath(id));
        }}
      />
    </Page>
  );
}

/** Page on which the owner of an item changes it, and who may download it. */
export function ItemEditPage({ parameters: { id = '' } }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { data: item, error, refetch } = useMarketItem(id);
  const [savedBy, setSavedBy] = useState<string>();
  const notice = useChangeNotice();
  const drafts = useStoredDrafts();
  if (item === undefined)
    return (
      <Page title={t('item.edit')} breadcrumbs={<ItemBreadcrumbs />}>
        <Failure error={error} onRetry={refetch} />
      </Page>
    );
  const leave = (requestId: string): void => {
    drafts.forget(grantsDraftId(item.id));
    notice(t('item.deleted', { title: visibleText(item.title) }), { requestId });
    navigate('/marketplace');
  };
  return (
    <Page title={item.title} breadcrumbs={<ItemBreadcrumbs item={item} />}>
      {savedBy !== undefined && <SavedNote text={t('item.saved')} requestId={savedBy} />}
      <ItemEditor
        key={item.id}
        item={item}
        refetch={async () => (await refetch()).data}
        onSaved={(_saved, requestId) => setSavedBy(requestId)}
      />
      <ItemGrants id={item.id} onSaved={setSavedBy} />
      <DeleteItem item={item} refetch={refetch} onDeleted={leave} />
    </Page>
  );
}

function ItemBreadcrumbs({ item }: { readonly item?: MarketItem }) {
  const { t } = useTranslation();
  const above = { text: t('page.marketplace'), to: '/marketplace' };
  const items = item === undefined ? [above] : [above, { text: item.title, to: itemPath(item.id) }];
  return <Breadcrumbs label={t('market.path')} items={items} />;
}

type ItemEditorProps = Parameters<typeof useItemEdit>[0];

function ItemEditor(props: ItemEditorProps) {
  const { t } = useTranslation();
  const edit = useItemEdit(props);
  const isBlocked = edit.saving.isRunning || edit.theirs !== undefined;
  const [isAsking, setAsking] = useState(false);
  const { item } = props;
  const submit = (): void => {
    if (isBlocked || !edit.check()) return;
    if (item !== undefined && hasLosses(edit.losses)) setAsking(true);
    else edit.save();
  };
  return (
    <Stack as="form" width="text" onSubmit={submit}>
      <Failure error={edit.saving.failure} />
      {edit.theirs !== undefined && (
        <ConflictPanel
          conflicts={[
            {
              key: 'item',
              theirs: <VisibleText text={textOf(edit.theirs)} lines="preserve" />,
              mine: <VisibleText text={textOf(edit.draft)} lines="preserve" />,
              onChoose: edit.resolve,
            },
          ]}
        />
      )}
      <ItemForm draft={edit.draft} problems={edit.problems} onChange={edit.change} />
      <Row>
        <Button kind="primary" type="submit" isDisabled={isBlocked || !edit.hasEdits}>
          {t('action.save')}
        </Button>
        {edit.hasEdits && <DiscardButton hasEdits isDisabled={edit.saving.isRunning} onDiscard={edit.discard} />}
      </Row>
      {item !== undefined && (
        <ItemChangeDialog
          item={item}
          losses={edit.losses}
          isOpen={isAsking}
          onConfirm={() => edit.save()}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}

const textOf = ({ title, description, tags, license, termsOfUse, owner, queries }: ItemDraft): string =>
  [title, description, tags.join(', '), license, termsOfUse, owner, queries.map(({ name }) => name).join(', ')]
    .filter((text) => text !== '')
    .join('\n');
