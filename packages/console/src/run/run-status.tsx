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
}

/** One line about an execution: its state, rows, rate, splits and time, as far as they are known. */
export function RunStatus({ snapshot, isDismissed = false, onLoadAll }: RunStatusProps) {
  const { t, language } = useTranslation();
  const line = useRef<HTMLElement>(null);
  const elapsedMs = useElapsedMs(snapshot);
  const { state, receivedRows, loadedRows, rowsPerSecond, progress } = snapshot;
  const { tone, icon } = STYLES[state];
  const hasNoRows = state === 'streaming' && receivedRows === 0;
  const loadAll = state === 'limited' ? onLoadAll : undefined;
  const rowsText = (): string => {
    if (hasNoRows) return t('run.rows.waiting');
    return t(loadAll === undefined ? ROWS_KEYS[state] : 'run.rows.first', { count: receivedRows });
  };
  const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const { splitsDone, splitsTotal } = progress;
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
          {t(hasNoRows ? 'run.state.running' : `run.state.${state}`)}
        </strong>
      )}
      <span className="run-status__rows">{rowsText()}</span>
      {loadAll === undefined ? null : <LoadAllButton line={line} onPress={loadAll} />}
      {loadedRows > 0 && loadedRows < receivedRows ? (
        <span className="run-status__loaded">{t('run.loaded', { count: loadedRows })}</span>
      ) : null}
      <span className="run-status__space" />
      {splitsTotal === null || isFinal(state) ? null : (
        <span>{t('run.splits', { done: splitsDone ?? 0, total: splitsTotal })}</span>
      )}
      {receivedRows > 0 && state === 'streaming' ? (
        <span>{t('run.rate', { rows: Math.round(rowsPerSecond) })}</span>
      ) : null}
      <span className="run-status__time">{t('label.seconds', { seconds: seconds.format(elapsedMs / 1000) })}</span>
      <RunAnnouncer snapshot={snapshot} />
    </section>
  );
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

function useAnnouncement(snapshot: RunSnapshot): string {
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
    setText(isFinal(state) ? t(`run.announce.${state}`, values) : t(`run.state.${state}`));
    return undefined;
  }, [state, t]);
  return text;
}

/** Tells screen readers about changes of state: failures immediately, everything else when they are idle. */
function RunAnnouncer({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const text = useAnnouncement(snapshot);
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
