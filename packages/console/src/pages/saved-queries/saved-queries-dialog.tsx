import type { FoundDatamap } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useAction } from '../../api/use-action.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { writeSavedQueryLink } from '../../router/saved-query-link.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { notify } from '../../ui/notifications.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useClipboard } from '../../ui/use-clipboard.ts';
import { visibleText } from '../../ui/visible-text.tsx';
import { groupByFolder, nameInFolder } from './query-name.ts';
import { RenameDialog } from './rename-dialog.tsx';
import './saved-queries.css';

interface SavedQueriesProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Opens a saved query in its tab, without running it. */
  readonly onOpen: (id: string) => void;
  readonly onRenamed: (id: string, name: string) => void;
}

/** Queries of one list. Others are found by their names. */
const QUERIES_MAX = 100;

interface ListedQuery {
  readonly id: string;
  readonly name: string;
  readonly updatedMs: number;
}

const listedQuery = ({ id, datamap, updated_ts }: FoundDatamap): ListedQuery => ({
  id,
  name: datamap.display_name,
  updatedMs: updated_ts,
});

/** Queries that the user has saved, by folder. */
export function SavedQueriesDialog({ isOpen, onClose, onOpen, onRenamed }: SavedQueriesProps) {
  const { t } = useTranslation();
  const [renamed, setRenamed] = useState<ListedQuery>();
  const [removed, setRemoved] = useState<ListedQuery>();
  const removal = useQueryRemoval();
  return (
    <>
      <Dialog title={t('saved.title')} isOpen={isOpen} onClose={onClose} width="l">
        {isOpen && <SavedQueryList onOpen={onOpen} onRename={setRenamed} onRemove={setRemoved} />}
        <Failure error={removal.failure} />
        <DialogActions onClose={onClose} />
      </Dialog>
      <RenameDialog
        renamed={renamed && { queryId: renamed.id, name: renamed.name }}
        onRenamed={(name) => renamed !== undefined && onRenamed(renamed.id, name)}
        onClose={() => setRenamed(undefined)}
      />
      <ConfirmDialog
        title={t('saved.remove.title', { name: removed?.name ?? '' })}
        action={t('saved.remove')}
        cancel={t('action.cancel')}
        isOpen={removed !== undefined}
        onConfirm={() => removed !== undefined && void removal.start(removed)}
        onClose={() => setRemoved(undefined)}
      >
        <p>{t('saved.remove.about')}</p>
      </ConfirmDialog>
    </>
  );
}

function useQueryRemoval() {
  const { t } = useTranslation();
  const client = useClient();
  return useAction(({ id }: ListedQuery) => client.api.deleteDatamap({ params: { id } }), {
    invalidates: [QUERY_KEYS.savedQueries(), QUERY_KEYS.search('draft')],
    onDone: ({ input }) => notify({ tone: 'success', text: t('saved.remove.done', { name: input.name }) }),
  });
}

interface SavedQueryListProps extends Pick<SavedQueriesProps, 'onOpen'> {
  readonly onRename: (query: ListedQuery) => void;
  readonly onRemove: (query: ListedQuery) => void;
}

function SavedQueryList({ onOpen, onRename, onRemove }: SavedQueryListProps) {
  const { t, formatTime, language } = useTranslation();
  const client = useClient();
  const copy = useClipboard();
  const [text, setText] = useState('');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: QUERY_KEYS.savedQueries(text),
    queryFn: ({ signal }) =>
      client.api.searchDatamaps({
        body: { ...(text === '' ? {} : { q: text }), size: QUERIES_MAX, advance_options: { own_drafts: true } },
        signal,
      }),
    gcTime: 0,
    retry: false,
  });
  const queries = (data?.data ?? []).map(listedQuery);
  const copyLink = async (id: string): Promise<void> => {
    if (await copy(`${location.origin}${location.pathname}${writeSavedQueryLink(id)}`))
      notify({ tone: 'success', text: t('saved.link.copied') });
  };
  const actionsOf = (query: ListedQuery) => [
    { id: 'rename', label: t('saved.rename'), icon: 'edit' as const, onAction: () => onRename(query) },
    { id: 'link', label: t('editor.link'), icon: 'copy' as const, onAction: () => void copyLink(query.id) },
    {
      id: 'remove',
      label: t('action.delete-dialog'),
      icon: 'close' as const,
      isDanger: true,
      onAction: () => onRemove(query),
    },
  ];
  return (
    <div className="saved-queries">
      <SearchField hasLabel label={t('saved.search')} searchText={text} onSearch={setText} autoFocus />
      <Failure error={error} onRetry={refetch} />
      {!isPending && error === null && queries.length === 0 && (
        <p>{text === '' ? t('saved.empty') : t('saved.none')}</p>
      )}
      <div className="saved-queries__list">
        {groupByFolder(queries, new Intl.Collator(language, { numeric: true }).compare).map((group) => (
          <section key={group.folder} aria-label={group.folder === '' ? t('saved.title') : visibleText(group.folder)}>
            {group.folder !== '' && <h3 className="saved-queries__folder">{visibleText(group.folder)}</h3>}
            <ul>
              {group.queries.map((query) => (
                <li key={query.id} className="saved-queries__query">
                  <span className="saved-queries__name">{visibleText(nameInFolder(query.name))}</span>
                  <span className="saved-queries__time">{formatTime(query.updatedMs)}</span>
                  <Button size="s" onPress={() => onOpen(query.id)}>
                    {t('history.open')}
                  </Button>
                  <MenuButton
                    label={t('saved.more', { name: query.name })}
                    button={<IconButton size="s" icon="more" label={t('saved.more', { name: query.name })} />}
                    actions={actionsOf(query)}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {data !== undefined && data.total > queries.length && (
        <p>{t('saved.cut', { shown: queries.length, count: data.total })}</p>
      )}
    </div>
  );
}
