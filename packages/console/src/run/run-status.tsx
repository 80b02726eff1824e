import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MessageKeyWith } from '../i18n/catalog.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import type { RunSnapshot, RunState } from './run-state.ts';
import { isFinal } from './run-transitions.ts';
import './run-status.css';

/** Meaning of a state, which selects its colour. */
type Tone = 'active' | 'good' | 'warning' | 'bad' | 'neutral';

const STYLES: Readonly<Record<RunState, { readonly tone: Tone; readonly icon: IconName | undefined }>> = {
  submitted: { tone: 'active', icon: undefined },
  queued: { tone: 'active', icon: undefined },
  withdrawing: { tone: 'active', icon: undefined },
  planning: { tone: 'active', icon: undefined },
  streaming: { tone: 'active', icon: undefined },
  cancelling: { tone: 'active', icon: undefined },
  complete: { tone: 'good', icon: 'check' },
  limited: { tone: 'warning', icon: 'info' },
  failed: { tone: 'bad', icon: 'error' },
  cancelled: { tone: 'neutral', icon: 'stop' },
  cut: { tone: 'bad', icon: 'warning' },
};

const ROWS_KEYS: Readonly<Record<RunState, MessageKeyWith<'count'>>> = {
  submitted: 'run.rows.waiting',
  queued: 'run.rows.waiting',
  withdrawing: 'run.rows.waiting',
  planning: 'run.rows.waiting',
  streaming: 'run.rows.streaming',
  cancelling: 'run.rows.cancelling',
  complete: 'count.rows',
  limited: 'run.rows.limited',
  failed: 'run.rows.stopped',
  cancelled: 'run.rows.stopped',
  cut: 'run.rows.cut',
};

/** Time between two updates of the elapsed time, in milliseconds. */
const TICK_MS = 100;

function useElapsedMs({ startedAtMs, endedAtMs }: RunSnapshot): number {
  const [now, setNow] = useState(() => performance.now());
  const isOver = endedAtMs !== undefined;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  return Math.max(0, (endedAtMs ?? now) - startedAtMs);
}

interface RunStatusProps {
  readonly snapshot: RunSnapshot;
  /** The user has tried to run something else since, and there was nothing to run. Default: false. */
  readonly isDismissed?: boolean;
  /** Runs the statement again for all its rows. Undefined: the page has a limit of its own. */
  readonly onLoadAll?: (() => void) | undefined;
  /** Whether the rows are those of a kept result, without a run. Default: false. */
  readonly isReopened?: boolean | undefined;
  /** Runs the statement of a kept result again. Undefined: the page cannot. */
  readonly onRunAgain?: (() => void) | undefined;
}

/** One line about an execution: its state, rows, rate, splits and time, as far as they are known. */
export function RunStatus(props: RunStatusProps) {
  const { snapshot, isDismissed = false, onLoadAll, isReopened = false, onRunAgain } = props;
  const { t } = useTranslation();
  const line = useRef<HTMLElement>(null);
  const { state, receivedRows } = snapshot;
  const { tone, icon } = STYLES[state];
  const hasNoRows = state === 'streaming' && receivedRows === 0;
  const loadAll = state === 'limited' ? onLoadAll : undefined;
  const rowsText = (): string => {
    if (hasNoRows) return t('run.rows.waiting');
    return t(loadAll === undefined ? ROWS_KEYS[state] : 'run.rows.first', { count: receivedRows });
  };
  return (
    <section
      ref={line}
      className="run-status"
      data-tone={tone}
      data-state={state}
      aria-label={t('run.status')}
      tabIndex={-1}
    >
      {/* What an earlier statement returned must not look like the end of a later one. */}
      {isDismissed && state === 'complete' ? null : (
        <strong className="run-status__state">
          {icon === undefined ? <span className="run-status__pulse" aria-hidden="true" /> : <Icon name={icon} />}
          {isReopened ? (
            <ReopenedState snapshot={snapshot} />
          ) : (
            t(hasNoRows ? 'run.state.running' : `run.state.${state}`)
          )}
        </strong>
      )}
      <span className="run-status__rows">{rowsText()}</span>
      {loadAll === undefined ? null : <LoadAllButton line={line} onPress={loadAll} />}
      <LoadedRows snapshot={snapshot} />
      {snapshot.isResuming ? <span className="run-status__loaded">{t('run.resuming')}</span> : null}
      {isReopened ? null : <Keeping snapshot={snapshot} />}
      <span className="run-status__space" />
      <Progress snapshot={snapshot} />
      {onRunAgain !== undefined && isFinal(state) ? (
        <Button size="s" icon="run" onPress={onRunAgain}>
          {t('run.again')}
        </Button>
      ) : null}
      {isReopened ? null : <ElapsedTime snapshot={snapshot} />}
      <RunAnnouncer snapshot={snapshot} isReopened={isReopened} />
    </section>
  );
}

interface SnapshotProps {
  readonly snapshot: RunSnapshot;
}

function ElapsedTime({ snapshot }: SnapshotProps) {
  const { t, language } = useTranslation();
  const elapsedMs = useElapsedMs(snapshot);
  const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return <span className="run-status__time">{t('label.seconds', { seconds: seconds.format(elapsedMs / 1000) })}</span>;
}

/** Splits and rate of a run that has not ended, as far as they are known. */
function Progress({ snapshot: { state, receivedRows, rowsPerSecond, progress } }: SnapshotProps) {
  const { t } = useTranslation();
  const { splitsDone, splitsTotal } = progress;
  return (
    <>
      {splitsTotal === null || isFinal(state) ? null : (
        <span>{t('run.splits', { done: splitsDone ?? 0, total: splitsTotal })}</span>
      )}
      {receivedRows > 0 && state === 'streaming' ? (
        <span>{t('run.rate', { rows: Math.round(rowsPerSecond) })}</span>
      ) : null}
    </>
  );
}

/** State of a kept result: when it was made, and how long it stays. */
function ReopenedState({ snapshot: { state, keeping } }: SnapshotProps) {
  const { t, formatShortTime } = useTranslation();
  const isShown = state === 'complete' || state === 'limited';
  if (keeping === undefined || 'notKept' in keeping || !isShown)
    return t(isFinal(state) ? `run.state.${state}` : 'run.reopening');
  const { asOf, keptUntil } = keeping;
  return t('run.reopened', { time: formatShortTime(asOf), until: formatShortTime(keptUntil) });
}

/** Rows in memory, if there are others. */
function LoadedRows({ snapshot: { loadedRows, receivedRows, keeping } }: SnapshotProps) {
  const { t } = useTranslation();
  if (loadedRows === 0 || loadedRows >= receivedRows) return null;
  const isKept = keeping !== undefined && 'keptUntil' in keeping;
  return (
    <span className="run-status__loaded">{t(isKept ? 'run.loaded-kept' : 'run.loaded', { count: loadedRows })}</span>
  );
}

/** Says until when the host keeps the result of a run, or why it does not. */
function Keeping({ snapshot: { state, keeping } }: SnapshotProps) {
  const { t, formatShortTime } = useTranslation();
  if (keeping === undefined || !isFinal(state)) return null;
  if ('notKept' in keeping)
    return <span className="run-status__loaded">{t('run.not-kept', { reason: keeping.notKept })}</span>;
  return <span>{t('run.kept', { until: formatShortTime(keeping.keptUntil) })}</span>;
}

interface LoadAllButtonProps {
  /** Gets the focus, because the button disappears with the next run. */
  readonly line: RefObject<HTMLElement | null>;
  readonly onPress: () => void;
}

/** Button that runs the statement again for all its rows. */
function LoadAllButton({ line, onPress }: LoadAllButtonProps) {
  const { t } = useTranslation();
  const press = (): void => {
    line.current?.focus();
    onPress();
  };
  return (
    <Tooltip text={t('run.load-all.about')}>
      <Button size="s" onPress={press}>
        {t('run.load-all')}
      </Button>
    </Tooltip>
  );
}

/** Time between two announcements while rows arrive, in milliseconds. */
const ANNOUNCE_MS = 5000;

function useAnnouncement(snapshot: RunSnapshot, isReopened: boolean): string {
  const { t } = useTranslation();
  const { state, receivedRows: count, failure } = snapshot;
  const [text, setText] = useState('');
  const latest = useRef(count);
  latest.current = count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are announced by the timer, not one by one
  useEffect(() => {
    const values = { count: latest.current, rows: latest.current, message: failure?.message ?? '' };
    if (state === 'streaming') {
      const announce = () => setText(t('run.announce.streaming', { count: latest.current }));
      const timer = setInterval(announce, ANNOUNCE_MS);
      return () => clearInterval(timer);
    }
    if (isReopened && state === 'complete') setText(t('run.announce.reopened', values));
    else setText(isFinal(state) ? t(`run.announce.${state}`, values) : t(`run.state.${state}`));
    return undefined;
  }, [state, isReopened, t]);
  return text;
}

/** Tells screen readers about changes of state: failures immediately, everything else when they are idle. */
function RunAnnouncer({ snapshot, isReopened }: SnapshotProps & { readonly isReopened: boolean }) {
  const text = useAnnouncement(snapshot, isReopened);
  const isFailure = snapshot.state === 'failed' || snapshot.state === 'cut';
  return (
    <>
      <span className="visually-hidden" aria-live="polite">
        {isFailure ? '' : text}
      </span>
      <span className="visually-hidden" aria-live="assertive">
        {isFailure ? text : ''}
      </span>
    </>
  );
}
