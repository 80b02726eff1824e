import type { ParameterValue } from '@sluice/client';
import { useEffect, useRef, useState } from 'react';
import { isInaccessible } from '../api/describe-error.ts';
import { QUERY_KEYS, useInvalidate } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { itemSource } from '../downloads/download-source.ts';
import { isActive } from '../downloads/download-state.ts';
import { useDownloadList } from '../downloads/downloads-context.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { AccessPanel } from '../marketplace/access-panel.tsx';
import type { MarketItemDetails } from '../marketplace/access-state.ts';
import { ItemTags } from '../marketplace/item-card.tsx';
import { ItemFacts, TermsOfUse } from '../marketplace/item-facts.tsx';
import { ItemParameterForm } from '../marketplace/item-parameter-form.tsx';
import {
  type DeclaredParameter,
  givenValues,
  isList,
  missingParameters,
  type ParameterInput,
  parametersOf,
  valueText,
} from '../marketplace/item-parameters.ts';
import { ItemQueries, type ItemQuery } from '../marketplace/item-query.tsx';
import { useAccess } from '../marketplace/use-access.ts';
import { useMarketItem } from '../marketplace/use-market.ts';
import type { LinkParameters } from '../parameters/list-values.ts';
import { Link } from '../router/link.tsx';
import { itemEditPath } from '../router/object-paths.ts';
import { type Run, startRun } from '../run/start-run.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { ItemSnippetTabs } from '../snippets/item-snippet-tabs.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Note, Row, Section, Stack } from '../ui/layout.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Breadcrumbs, Page } from '../ui/page.tsx';
import { RunView } from './run-view.tsx';
import './item-page.css';

/** Page of an item of the marketplace. */
export function ItemPage({ parameters: { id = '' } }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { data: item, error, refetch } = useMarketItem(id);
  // After a failure the page keeps what the user has entered, but old facts must not promise access.
  if (item !== undefined && !isInaccessible(error))
    return <Item key={id} item={item} error={error} onRetry={refetch} />;
  return (
    <Page
      title={t(error === null ? 'market.loading' : 'page.item')}
      tabTitle={t('page.item')}
      breadcrumbs={<MarketBreadcrumbs />}
    >
      <Failure error={error} onRetry={refetch} />
    </Page>
  );
}

function MarketBreadcrumbs() {
  const { t } = useTranslation();
  return <Breadcrumbs label={t('market.path')} items={[{ text: t('page.marketplace'), to: '/marketplace' }]} />;
}

/** Reads the item again after a download: the host counts them. */
function useRefetchAfterDownloads(): void {
  const invalidate = useInvalidate(QUERY_KEYS.market);
  const ended = useDownloadList().downloads.filter(({ state }) => !isActive(state)).length;
  const read = useRef(ended);
  useEffect(() => {
    if (ended > read.current) invalidate();
    read.current = ended;
  }, [ended, invalidate]);
}

interface ItemProps {
  readonly item: MarketItemDetails;
  /** Why the item could not be read again. Null: it is current. */
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

function Item({ item, error, onRetry }: ItemProps) {
  const { t } = useTranslation();
  const { user, permissions } = useCurrentUser();
  const mayEdit = item.owner === user || permissions.includes('admin');
  const access = useAccess(item.id, error === null ? item : undefined);
  useRefetchAfterDownloads();
  const [shown, setShown] = useState(0);
  const [input, setInput] = useState<ParameterInput>({});
  const [hasTried, setTried] = useState(false);
  const parameters = parametersOf(item);
  const missing = missingParameters(parameters, input);
  const given = givenValues(parameters, input);
  const extension = item.queries.length > 1 ? 'zip' : 'csv';
  const values = (): LinkParameters | undefined => {
    setTried(true);
    return missing.length === 0 ? given : undefined;
  };
  return (
    <Page
      title={item.title}
      breadcrumbs={<MarketBreadcrumbs />}
      head={
        <>
          {mayEdit && (
            <p>
              <Link to={itemEditPath(item.id)}>{t('item.edit')}</Link>
            </p>
          )}
          {item.description !== null && <Description text={item.description} />}
          <ItemTags item={item} />
          <ItemFacts item={item} />
          <Failure error={error} onRetry={onRetry} />
        </>
      }
      aside={{
        label: t('market.side'),
        content: (
          <>
            <AccessPanel
              item={item}
              access={access}
              download={
                <DownloadMenu
                  kind="primary"
                  isDisabled={item.queries.some(({ is_published: isPublished }) => !isPublished)}
                  source={itemSource({ id: item.id, name: item.id, datamaps: item.queries.length }, values)}
                />
              }
            />
            {item.terms_of_use !== null && <TermsOfUse text={item.terms_of_use} />}
          </>
        ),
      }}
    >
      <ItemParameterForm
        parameters={parameters}
        input={input}
        missing={hasTried ? missing : []}
        onChange={(name, text) => setInput((before) => ({ ...before, [name]: text }))}
      />
      <ItemQueries
        queries={item.queries}
        shown={Math.min(shown, item.queries.length - 1)}
        onShow={setShown}
        extra={(query) => <ItemPreview key={query.datamap_id} query={query} values={values} />}
      />
      <Section title={t('snippet.tabs')} gap="s">
        <ItemSnippetTabs id={item.id} format="csv" extension={extension} parameters={given} />
      </Section>
    </Page>
  );
}

/** Descriptions above this length, in characters, scroll in a place of their own. */
const SHORT_CHARACTERS = 1_500;

function Description({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const shown = <Markdown text={text} />;
  if (text.length <= SHORT_CHARACTERS) return <div className="item-page__description">{shown}</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
    <section className="item-page__description" data-long tabIndex={0} aria-label={t('property.description')}>
      {shown}
    </section>
  );
}

/** Rows of a preview. */
const PREVIEW_ROWS = 20;
const NEEDED = ['query:run', 'datamap:read'] as const;

interface ItemPreviewProps {
  readonly query: ItemQuery;
  /** Returns the values of the parameters, or undefined if one is missing. */
  readonly values: () => LinkParameters | undefined;
}

/** A default as the host has it. */
type TypedList = Extract<ParameterValue, { readonly type: string }>['value'];

/** First rows of a query of an item, which run with the rights of the user when asked for. */
function ItemPreview({ query, values }: ItemPreviewProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { permissions } = useCurrentUser();
  const [run, setRun] = useState<Run>();
  useEffect(() => () => run?.cancel(), [run]);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const { start, isRunning, failure } = useAction(async (input: LinkParameters) => {
    const { datamap } = await client.api.getDatamap({ params: { id: query.datamap_id } });
    const { sql } = datamap.advanced_mode;
    if (sql === null) throw new Error(t('market.preview.gone'));
    if (isLeft.current) return;
    setRun(startRun(client, { sql, size: PREVIEW_ROWS, parameters: typedValues(query.parameters, input) }));
  });
  if (!query.is_published) return null;
  if (!NEEDED.every((permission) => permissions.includes(permission)))
    return <Note size="s">{t('market.preview.not-allowed')}</Note>;
  return (
    <Stack>
      <Row>
        <Button
          icon="table"
          isDisabled={isRunning}
          onPress={() => {
            const input = values();
            if (input !== undefined) void start(input);
          }}
        >
          {t('market.preview', { count: PREVIEW_ROWS })}
        </Button>
        <Note size="s">{t('market.preview.about')}</Note>
      </Row>
      <Failure error={failure} />
      {run !== undefined && (
        <div className="item-preview__rows">
          <RunView run={run} />
        </div>
      )}
    </Stack>
  );
}

/** Returns a value for each parameter: what the user has typed, or the default. Each has its declared type, so none is guessed. */
function typedValues(declared: readonly DeclaredParameter[], input: LinkParameters) {
  return Object.fromEntries(
    declared.map((parameter) => {
      const { name, type, default: preset } = parameter;
      const text = preset === null || preset === undefined ? null : valueText(preset);
      const presetValue = isList(parameter) ? (preset as TypedList) : text;
      return [name, { type, value: input[name] ?? presetValue }];
    }),
  );
}
