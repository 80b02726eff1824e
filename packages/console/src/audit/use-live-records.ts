import { useEffect, useRef, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { addRecords, type LiveRecords, NO_LIVE_RECORDS, pause, readLiveRecord, resume } from './live-records.ts';
import type { OpenRecord } from './record-dialog.tsx';

/** Records that arrive within this time are shown together, in milliseconds: a list that changes more often cannot be read. */
const SHOW_EVERY_MS = 250;

/** The log as it grows. */
export interface LiveLog extends LiveRecords {
  readonly isConnecting: boolean;
  /** Error that ended the stream of records; `restart` opens another one. */
  readonly failure: unknown;
  readonly setPaused: (isPaused: boolean) => void;
  /** Follows the log again, after the last record that is shown or held. */
  readonly restart: () => void;
}

/** Follows the log while the component is shown. */
export function useLiveRecords(): LiveLog {
  const client = useClient();
  const [attempt, setAttempt] = useState(0);
  const [records, setRecords] = useState(NO_LIVE_RECORDS);
  const [isConnecting, setConnecting] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const lastSequence = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows the log again
  useEffect(() => {
    const leaving = new AbortController();
    let arrived: OpenRecord[] = [];
    let arrivedSequence = lastSequence.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const added = arrived;
      arrived = [];
      lastSequence.current = arrivedSequence;
      setConnecting(false);
      setRecords((before) => addRecords(before, added));
    };
    const follow = async () => {
      const onReconnect = () => setConnecting(true);
      const options = { signal: leaving.signal, onReconnect, after: lastSequence.current };
      for await (const { sequence, text } of client.audit.follow(options)) {
        arrivedSequence = sequence;
        arrived.push(readLiveRecord(text));
        timer ??= setTimeout(show, SHOW_EVERY_MS);
      }
    };
    setFailure(undefined);
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) setFailure(error);
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, attempt]);
  return {
    ...records,
    isConnecting,
    failure,
    setPaused: (isPaused) => setRecords(isPaused ? pause : resume),
    restart: () => setAttempt((before) => before + 1),
  };
}
