import { useState } from 'react';
import { describeError, isNotFound } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { resultSource } from '../downloads/download-source.ts';
import { titleOf } from '../editor/drafts/draft.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { ResultFacts } from '../results/result-facts.tsx';
import { type KeptResult, useKeptResult } from '../results/use-kept-result.ts';
import { navigate } from '../router/router.ts';
import { openKeptResult } from '../run/open-kept-result.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { Stack } from '../ui/layout.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { notify } from '../ui/notifications.tsx';
import { Page } from '../ui/page.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import { openInEditor } from './open-in-editor.ts';
import { RunView } from './run-view.tsx';
import { ShareResultButton } from './share-result-button.tsx';
import './result-page.css';

/** Page of a kept result, to which a shared link leads. */
export function ResultPage({ parameters: { id = '' } }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { data, error, refetch, isPending } = useKeptResult(id);
  if (isNotFound(error))
    return (
      <Page title={t('kept.page')}>
        <EmptyState icon="history" title={t('kept.unavailable')} message={t('kept.unavailable.message')}>
          <LinkButton to="/" icon="query">
            {t('page.query')}
          </LinkButton>
        </EmptyState>
      </Page>
    );
  if (data !== undefined && error === null) return <SharedResult key={id} result={data} />;
  return (
    <Page title={t('kept.page')} isBusy={isPending}>
      <Failure error={error} onRetry={refetch} />
    </Page>
  );
}

function SharedResult({ result }: { readonly result: KeptResult }) {
  const { t, formatShortTime } = useTranslation();
  const client = useClient();
  const { query_id: queryId, sql, ran_by: ranBy, rows, as_of: asOf, formats, is_own: isOwn } = result;
  // The facts are read again after a change of the shares; the rows stay the same.
  const [run] = useState(() => openKeptResult(client, queryId, result));
  const time = formatShortTime(asOf);
  const name = sql === null ? t('kept.file-name', { user: visibleText(ranBy) }) : visibleText(titleOf(sql));
  return (
    <Page
      title={t('kept.title', { time })}
      about={isOwn ? t('kept.own') : t('kept.shared', { user: visibleText(ranBy) })}
      actions={
        <>
          {sql !== null && (
            <Button icon="query" onPress={() => openInEditor({ sql, name })}>
              {t('object.open')}
            </Button>
          )}
          {isOwn && <ShareResultButton run={run} />}
          {isOwn && <DeleteResult queryId={queryId} />}
          <DownloadMenu
            kind="primary"
            source={resultSource({
              queryId,
              rows,
              readName: () => name,
              note: t(result.limited ? 'kept.download.limited' : 'kept.download', { count: rows }),
              formats,
            })}
          />
        </>
      }
    >
      <Stack>
        <ResultFacts result={result} />
        <div className="result-page__rows">
          <RunView run={run} />
        </div>
      </Stack>
    </Page>
  );
}

/** Button that deletes a kept result, after a confirmation. */
function DeleteResult({ queryId }: { readonly queryId: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const { start, isRunning } = useAction(() => client.stream.deleteResult({ params: { id: queryId } }), {
    invalidates: [QUERY_KEYS.history({})],
    onDone() {
      notify({ tone: 'success', text: t('kept.deleted') });
      navigate('/');
    },
    onFailed: (error) => notify({ tone: 'danger', text: describeError(error, t).message }),
  });
  return (
    <>
      <Button kind="danger-quiet" isDisabled={isRunning} onPress={() => setAsked(true)}>
        {t('action.delete-dialog')}
      </Button>
      <ConfirmDialog
        title={t('kept.delete.title')}
        action={t('kept.delete')}
        isOpen={isAsked}
        onConfirm={() => void start()}
        onClose={() => setAsked(false)}
      >
        <p>{t('kept.delete.about')}</p>
      </ConfirmDialog>
    </>
  );
}
