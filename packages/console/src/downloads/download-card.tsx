import { useEffect, useState } from 'react';
import { formatBytes } from '../i18n/format-bytes.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { DownloadProblem } from './download-problem.tsx';
import { type DownloadSnapshot, type DownloadState, isActive } from './download-state.ts';
import { useDownloadStore } from './downloads-context.tsx';
import { ReceiptView, SavedRowsView } from './receipt-view.tsx';

type Tone = 'active' | 'good' | 'warning' | 'bad' | 'neutral';

const STYLES: Readonly<Record<DownloadState, { readonly tone: Tone; readonly icon: IconName | undefined }>> = {
  preparing: { tone: 'active', icon: undefined },
  starting: { tone: 'active', icon: undefined },
  queued: { tone: 'active', icon: undefined },
  running: { tone: 'active', icon: undefined },
  cancelling: { tone: 'active', icon: undefined },
  saving: { tone: 'active', icon: undefined },
  saved: { tone: 'good', icon: 'check' },
  handed: { tone: 'good', icon: 'check' },
  complete: { tone: 'good', icon: 'check' },
  limited: { tone: 'warning', icon: 'info' },
  failed: { tone: 'bad', icon: 'error' },
  cancelled: { tone: 'neutral', icon: 'stop' },
  cut: { tone: 'bad', icon: 'warning' },
  unknown: { tone: 'bad', icon: 'warning' },
};

/** Time between two updates of the elapsed time, in milliseconds. */
const TICK_MS = 500;

/** Returns the time that a download has taken. The clock of the host is asked once it is over, and never mixed with that of this machine. */
function useElapsedMs({ startedAtMs, endedAtMs, receipt }: DownloadSnapshot): number {
  const [now, setNow] = useState(() => Date.now());
  const isOver = endedAtMs !== undefined;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  const byHost = receipt?.ended_ts == null ? undefined : receipt.ended_ts - receipt.started_ts;
  return Math.max(0, byHost ?? (endedAtMs ?? now) - startedAtMs);
}

/** One download: its state, rows, bytes and time, and afterwards its receipt or why it failed. */
export function DownloadCard({ download }: { readonly download: DownloadSnapshot }) {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const { id, fileName, state, isUnreachable } = download;
  const { tone, icon } = STYLES[state];
  return (
    <li className="download-card" data-tone={tone} data-state={state}>
      <div className="download-card__head">
        <span className="download-card__name" title={fileName}>
          <bdi>{fileName}</bdi>
        </span>
        {isActive(state) && state !== 'saving' && (
          <IconButton
            icon="stop"
            size="s"
            label={t('downloads.cancel', { file: fileName })}
            isDisabled={state === 'cancelling'}
            onPress={() => store.cancel(id)}
          />
        )}
      </div>
      <p className="download-card__facts">
        <strong className="download-card__state">
          {icon === undefined ? <span className="download-card__pulse" aria-hidden="true" /> : <Icon name={icon} />}
          {t(`downloads.state.${state}`)}
        </strong>
        <Quantities download={download} />
      </p>
      {isActive(state) && isUnreachable && <p className="download-card__note">{t('downloads.unreachable')}</p>}
      {isActive(state) && !isUnreachable && <p className="download-card__note">{t(noteKeyOf(download))}</p>}
      <Outcome download={download} />
    </li>
  );
}

/** Returns the message about what the user must not close while a download runs. */
function noteKeyOf({ state, isComparing, receipt }: DownloadSnapshot) {
  if (state === 'saving') return 'downloads.note.saving';
  if (isComparing) return 'downloads.note.comparing';
  // The browser waits for the headers, which come with the first bytes, as a part of this page. From then on it saves by itself.
  return (receipt?.bytes ?? 0) > 0 ? 'downloads.note.browser' : 'downloads.note.waiting';
}

/** Rows, bytes and time, as far as they are known. */
function Quantities({ download }: { readonly download: DownloadSnapshot }) {
  const { t, language } = useTranslation();
  const elapsedMs = useElapsedMs(download);
  const { receipt, saved } = download;
  const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <>
      {receipt !== undefined && receipt.bytes > 0 && (
        <>
          <span>{t(receipt.at_least === true ? 'count.rows-at-least' : 'count.rows', { count: receipt.rows })}</span>
          <span>{formatBytes(receipt.bytes, language)}</span>
        </>
      )}
      {saved !== undefined && (
        <>
          <span>{t('count.rows', { count: saved.rows })}</span>
          <span>{formatBytes(saved.bytes, language)}</span>
        </>
      )}
      <span>{t('label.seconds', { seconds: seconds.format(elapsedMs / 1000) })}</span>
    </>
  );
}

/** Receipt of a complete download, or the end of any other with a button to repeat it. Renders nothing while it runs. */
function Outcome({ download }: { readonly download: DownloadSnapshot }) {
  const { t } = useTranslation();
  const repeat = useDownloadStore().repeatOf(download.id);
  const { state } = download;
  if (isActive(state)) return null;
  if (state === 'saved' || state === 'handed') return <SavedRowsView download={download} />;
  if (state === 'complete' || state === 'limited') return <ReceiptView download={download} />;
  const retry =
    repeat === undefined ? null : (
      <Button size="s" onPress={repeat}>
        {t('action.retry')}
      </Button>
    );
  if (state === 'failed') return <DownloadProblem download={download}>{retry}</DownloadProblem>;
  return (
    <>
      <p className="download-card__note">{t(`downloads.end.${state}`)}</p>
      <div className="download-card__actions">{retry}</div>
    </>
  );
}
