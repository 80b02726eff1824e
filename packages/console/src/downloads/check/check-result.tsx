import { type Translate, useTranslation } from '../../i18n/translate.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { HashedFile, KnownDownload } from './find-receipt.ts';
import type { CheckedFile } from './use-file-check.ts';
import './check-result.css';

type Tone = 'good' | 'bad' | 'unknown';
const ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', bad: 'error', unknown: 'help' };

const toneOf = (result: CheckedFile): Tone => {
  if (result.kind !== 'compared') return 'unknown';
  const { kind } = result.verdict;
  if (kind === 'running') return 'unknown';
  return kind === 'whole' ? 'good' : 'bad';
};

interface CheckResultProps {
  readonly file: HashedFile;
  readonly result: CheckedFile;
}

/** One sentence about a file that was checked, with its hash and the query that made it. */
export function CheckResult({ file, result }: CheckResultProps) {
  const { t, formatTime } = useTranslation();
  const tone = toneOf(result);
  const queryId = result.kind === 'compared' ? queryIdOf(result.download) : undefined;
  return (
    <section className="check-result" data-tone={tone} aria-label={t('downloads.check.result')}>
      <p className="check-result__sentence">
        <Icon name={ICONS[tone]} />
        <span>{sentenceOf(file, result, { t, formatTime })}</span>
      </p>
      <dl className="check-result__facts">
        <dt>{t('downloads.check.file')}</dt>
        <dd>
          <VisibleText text={file.name} />
        </dd>
        <dt>{t('downloads.hash')}</dt>
        <dd>
          <IdText id={file.sha256} name={t('downloads.hash')} />
        </dd>
        {queryId !== undefined && (
          <>
            <dt>{t('label.query-id')}</dt>
            <dd>
              <IdText id={queryId} name={t('label.query-id')} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

const queryIdOf = (download: KnownDownload): string | undefined =>
  download.kind === 'saved' ? download.queryId : download.receipt.query_id;

/** Returns the message about a file that is whole. */
function wholeKeyOf(download: KnownDownload) {
  if (download.kind !== 'saved') return 'downloads.check.whole';
  return download.saved.isOfHost === true ? 'downloads.check.whole-kept' : 'downloads.check.whole-saved';
}

interface Wording {
  readonly t: Translate;
  readonly formatTime: (epochMs: number) => string;
}

function sentenceOf(file: HashedFile, result: CheckedFile, { t, formatTime }: Wording): string {
  if (result.kind === 'unknown-id') return t('downloads.check.unknown-id', { id: result.id });
  if (result.kind === 'not-a-file') return t('downloads.check.not-a-file', { id: result.id });
  if (result.kind === 'none')
    return result.looked === 0 ? t('downloads.check.none-yet') : t('downloads.check.none', { count: result.looked });
  const { verdict, download } = result;
  const time = formatTime(download.kind === 'saved' ? download.atMs : download.receipt.started_ts);
  switch (verdict.kind) {
    case 'whole':
      if (verdict.isLimited) return t('downloads.check.limited', { time, count: file.bytes });
      return t(wholeKeyOf(download), {
        time,
        count: file.bytes,
      });
    case 'differs':
      return verdict.expectedBytes === file.bytes
        ? t('downloads.check.other-content', { time, count: file.bytes })
        : t('downloads.check.differs', { time, expected: verdict.expectedBytes, found: file.bytes });
    case 'running':
      return t('downloads.check.running', { time });
    case 'unfinished':
      return t('downloads.check.unfinished', { time, state: t(`query-state.${verdict.state}`) });
  }
}
