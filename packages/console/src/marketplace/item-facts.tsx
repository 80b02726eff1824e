import type { ReactNode } from 'react';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { Note, Section } from '../ui/layout.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { MarketItemDetails } from './access-state.ts';
import { ItemRating } from './item-card.tsx';
import { licenseUrl } from './license-url.ts';
import './item-facts.css';

interface ItemFactsProps {
  readonly item: MarketItemDetails;
}

/** Facts of an item: whose it is, its license, how old and large its data is, and how much it is used. */
export function ItemFacts({ item }: ItemFactsProps) {
  const { t, formatTime } = useTranslation();
  return (
    <dl className="item-facts">
      <Fact title={t('label.owner')}>
        <VisibleText text={item.owner} />
      </Fact>
      {item.license !== null && (
        <Fact title={t('item.license')}>
          <License text={item.license} />
        </Fact>
      )}
      <Fact title={t('market.as-of')}>
        <Freshness item={item} />
      </Fact>
      <Fact title={t('market.size')}>
        <Size item={item} />
      </Fact>
      <Fact title={t('market.version')}>
        {t('market.version.of', { version: item.version, time: formatTime(item.updated_ts) })}
      </Fact>
      <Fact title={t('downloads.title')}>
        {item.last_downloaded_ts === null
          ? t('market.downloads.none')
          : t('market.downloads.last', { count: item.download_count, time: formatTime(item.last_downloaded_ts) })}
      </Fact>
      {item.rating !== null && item.rating > 0 && (
        <Fact title={t('market.rating')}>
          <ItemRating rating={item.rating} />
        </Fact>
      )}
    </dl>
  );
}

/** The license of an item: a link if it is the address of a page. */
function License({ text }: { readonly text: string }) {
  const url = licenseUrl(text);
  if (url === undefined) return <VisibleText text={text} />;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      <VisibleText text={text} />
    </a>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Known facts about the age of the data, in words that claim no more. */
function Freshness({ item: { freshness } }: ItemFactsProps) {
  const { t, formatTime } = useTranslation();
  const { data_changed_ts: changed, tables_seen_ts: seen, missing_table_count: missing } = freshness;
  return (
    <>
      <p>{t('market.as-of.download')}</p>
      <Note size="s">
        {changed === null ? t('market.as-of.unknown') : t('market.as-of.files', { time: formatTime(changed) })}{' '}
        {seen !== null && t('market.as-of.seen', { time: formatTime(seen) })}
      </Note>
      {missing > 0 && <Badge tone="warning">{t('market.as-of.missing', { count: missing })}</Badge>}
    </>
  );
}

function Size({ item: { last_complete_download: last, queries } }: ItemFactsProps) {
  const { t, language, formatTime } = useTranslation();
  if (last === null) return t('market.size.unknown');
  const hasParameters = queries.some(({ parameters }) => parameters.length > 0);
  return (
    <>
      <p>
        {t('market.size.of', {
          count: last.rows,
          size: formatBytes(last.bytes, language),
          format: last.format.toUpperCase(),
        })}
      </p>
      <Note size="s">
        {t('market.size.when', { time: formatTime(last.ended_ts) })} {hasParameters && t('market.size.parameters')}
      </Note>
    </>
  );
}

/** Terms above this length, in characters, scroll in a place of their own. */
const SHORT_CHARACTERS = 600;

/** The terms of use of an item. A long text scrolls. */
export function TermsOfUse({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const shown = <Markdown text={text} />;
  return (
    <Section title={t('item.terms')} gap="s">
      {text.length <= SHORT_CHARACTERS ? (
        shown
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields, and this holds text
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
        <div className="item-terms" role="group" tabIndex={0} aria-label={t('item.terms')}>
          {shown}
        </div>
      )}
    </Section>
  );
}
