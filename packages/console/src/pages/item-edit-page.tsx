import { type FormEvent, useState } from 'react';
import { useChangeNotice } from '../admin/audit-log-link.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import type { MarketItem } from '../marketplace/access-state.ts';
import { DeleteItem, ItemChangeDialog } from '../marketplace/item-change-dialog.tsx';
import type { ItemDraft } from '../marketplace/item-draft.ts';
import { ItemForm } from '../marketplace/item-form.tsx';
import { ItemGrants } from '../marketplace/item-grants.tsx';
import { hasLosses } from '../marketplace/item-losses.ts';
import { useForgetGrantEdits } from '../marketplace/use-grant-edits.ts';
import { type ItemEdit, useItemEdit } from '../marketplace/use-item-edit.ts';
import { useMarketItem } from '../marketplace/use-market.ts';
import { visibleText } from '../result/cell-text.ts';
import { Link } from '../router/link.tsx';
import { itemEditPath, itemPath } from '../router/object-paths.ts';
import { navigate } from '../router/router.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { DiscardButton } from '../steward/discard-button.tsx';
import { SavedNote } from '../steward/saved-note.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import '../catalog/catalog.css';
import '../steward/edit-conflicts.css';
import './object-page.css';

/** Page on which an owner creates an item of the marketplace. */
export function ItemCreatePage() {
  const { t } = useTranslation();
  const notice = useChangeNotice();
  usePageTitle(t('item.new'));
  return (
    <main className="object-page">
      <Trail />
      <h1 className="object-page__title">{t('item.new')}</h1>
      <ItemEditor
        item={undefined}
        reread={async () => undefined}
        onSaved={({ id }, requestId) => {
          notice(t('item.saved'), { requestId });
          navigate(itemEditPath(id));
        }}
      />
    </main>
  );
}

/** Page on which the owner of an item changes it, and who may download it. */
export function ItemEditPage({ parameters: { id = '' } }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { data: item, error, refetch } = useMarketItem(id);
  const [savedBy, setSavedBy] = useState<string>();
  const [saves, setSaves] = useState(0);
  const notice = useChangeNotice();
  const forgetGrantEdits = useForgetGrantEdits();
  usePageTitle(item === undefined ? t('item.edit') : visibleText(item.title));
  if (item === undefined)
    return (
      <main className="object-page">
        <Trail />
        <h1 className="object-page__title">{t('item.edit')}</h1>
        <Failure error={error ?? undefined}>
          <Button size="s" onPress={() => void refetch()}>
            {t('action.retry')}
          </Button>
        </Failure>
      </main>
    );
  const leave = (requestId: string): void => {
    forgetGrantEdits(item.id);
    notice(t('item.deleted', { title: visibleText(item.title) }), { requestId });
    navigate('/marketplace');
  };
  return (
    <main className="object-page">
      <Trail item={item} />
      <h1 className="object-page__title">
        <VisibleText text={item.title} />
      </h1>
      {savedBy !== undefined && <SavedNote text={t('item.saved')} requestId={savedBy} />}
      <ItemEditor
        key={`${item.id} ${saves}`}
        item={item}
        reread={refetch}
        onSaved={async (_saved, requestId) => {
          await refetch();
          setSavedBy(requestId);
          setSaves((count) => count + 1);
        }}
      />
      <ItemGrants id={item.id} onSaved={setSavedBy} />
      <DeleteItem item={item} reread={refetch} onDeleted={leave} />
    </main>
  );
}

function Trail({ item }: { readonly item?: MarketItem }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('market.path')}>
      <ol className="catalog-trail">
        <li>
          <Link to="/marketplace">{t('page.marketplace')}</Link>
        </li>
        {item !== undefined && (
          <li>
            <Icon name="right" />
            <Link to={itemPath(item.id)}>
              <VisibleText text={item.title} />
            </Link>
          </li>
        )}
      </ol>
    </nav>
  );
}

type ItemEditorProps = Parameters<typeof useItemEdit>[0];

function ItemEditor(props: ItemEditorProps) {
  const { t } = useTranslation();
  const edit = useItemEdit(props);
  const isBlocked = edit.saving.isRunning || edit.theirs !== undefined;
  const [isAsking, setAsking] = useState(false);
  const { item } = props;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBlocked || !edit.check()) return;
    if (item !== undefined && hasLosses(edit.losses)) setAsking(true);
    else edit.save();
  };
  return (
    <form className="item-form" onSubmit={submit}>
      <Failure error={edit.saving.failure} />
      <ItemConflict edit={edit} />
      <ItemForm draft={edit.draft} problems={edit.problems} onChange={edit.change} />
      <div className="item-form__row">
        <Button kind="primary" type="submit" isDisabled={isBlocked || !edit.hasEdits}>
          {t('action.save')}
        </Button>
        {edit.hasEdits && <DiscardButton hasEdits isDisabled={edit.saving.isRunning} onDiscard={edit.discard} />}
      </div>
      {item !== undefined && (
        <ItemChangeDialog
          item={item}
          losses={edit.losses}
          isOpen={isAsking}
          onConfirm={edit.save}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  );
}

const textOf = ({ title, description, tags, owner, queries }: ItemDraft): string =>
  [title, description, tags.join(', '), owner, queries.map(({ name }) => name).join(', ')].join('\n');

/** Both versions of an item that somebody else has changed meanwhile, with a choice. */
function ItemConflict({ edit }: { readonly edit: ItemEdit }) {
  const { t } = useTranslation();
  const { theirs, draft } = edit;
  if (theirs === undefined) return null;
  return (
    <section className="edit-conflicts" role="alert" aria-label={t('steward.conflict.title')}>
      <p className="edit-conflicts__title">{t('steward.conflict.title')}</p>
      <div className="edit-conflicts__versions">
        {(
          [
            ['theirs', theirs],
            ['mine', draft],
          ] as const
        ).map(([version, shown]) => (
          <div key={version} className="edit-conflicts__version">
            <p className="edit-conflicts__whose">{t(`steward.conflict.${version}`)}</p>
            <p className="edit-conflicts__text">
              <VisibleText text={textOf(shown)} lines="keep" />
            </p>
            <Button size="s" onPress={() => edit.resolve(version)}>
              {t(`steward.conflict.keep-${version}`)}
            </Button>
          </div>
        ))}
      </div>
    </section>
  );
}
