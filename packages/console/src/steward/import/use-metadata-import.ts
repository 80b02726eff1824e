import type { Client, FileImport } from '@sluice/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/use-client.ts';
import type { FileMistake, FileSource, ValidFile } from './checked-file.ts';
import { forbidEval } from './forbid-eval.ts';
import { mistakesOf } from './host-mistakes.ts';
import { type ImportReport, readImportReport } from './import-report.ts';

/** State of an import, from the choice of a file to the report. */
export type ImportState =
  /** `failure` is why a check ended without a result. */
  | { readonly kind: 'choosing'; readonly failure?: unknown }
  | { readonly kind: 'checking'; readonly objects: number }
  /** The check found mistakes; the file cannot be applied. */
  | { readonly kind: 'invalid'; readonly mistakes: readonly FileMistake[] }
  | { readonly kind: 'checked'; readonly file: ValidFile }
  /** `status` is undefined while the file is sent. */
  | { readonly kind: 'running'; readonly isDryRun: boolean; readonly status: FileImport | undefined }
  | { readonly kind: 'ended'; readonly status: FileImport; readonly report: ImportReport }
  /** The host has not confirmed the file, so whether it has it is not known. */
  | { readonly kind: 'unconfirmed'; readonly isDryRun: boolean; readonly failure: unknown }
  /** The import goes on at the host, and this page does not see it. */
  | { readonly kind: 'lost'; readonly importId: string; readonly failure: unknown };

export interface MetadataImport {
  readonly state: ImportState;
  /** The last file that was valid, unless the page was loaded since. */
  readonly file: ValidFile | undefined;
  check(source: FileSource): void;
  run(isDryRun: boolean): void;
  /** Waits for the end of an import that was started before. */
  follow(importId: string): void;
  /** Stops the check, or the import at the host after the batch in progress. */
  stop(): void;
  restart(): void;
}

interface MetadataImportOptions {
  /** Called with the id of an import that the host has stored, so that the address can hold it. Undefined: there is none any more. */
  readonly onImport: (importId: string | undefined) => void;
}

/** Time without a response of the host after which the page says that it has lost sight of the import, in milliseconds. */
const LOST_TIMEOUT_MS = 15_000;

/** Tasks of one import. A later one ends the one before. */
class CurrentTask {
  #controller = new AbortController();

  begin(): AbortSignal {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  end(): void {
    this.#controller.abort();
  }
}

const idOf = (state: ImportState): string | undefined =>
  state.kind === 'running' ? state.status?.import_id : state.kind === 'lost' ? state.importId : undefined;

/** Checks a file of metadata, sends it, and follows its import. */
export function useMetadataImport({ onImport }: MetadataImportOptions): MetadataImport {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ kind: 'choosing' });
  const [file, setFile] = useState<ValidFile>();
  const [task] = useState(() => new CurrentTask());
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => () => task.end(), [task]);

  /** Runs a task, and shows its states until another one begins. */
  const start = (work: (show: (next: ImportState) => void, signal: AbortSignal) => Promise<ImportState>): void => {
    const signal = task.begin();
    const show = (next: ImportState): void => {
      if (signal.aborted) return;
      latest.current = next;
      setState(next);
    };
    void work(show, signal).then(show, (failure: unknown) => {
      const importId = idOf(latest.current);
      if (importId === undefined) show({ kind: 'choosing', failure });
      else show({ kind: 'lost', importId, failure });
    });
  };

  const finish = async (status: FileImport, signal: AbortSignal): Promise<ImportState> => {
    if (!status.dry_run) await queries.invalidateQueries();
    return { kind: 'ended', status, report: await readImportReport(client, status, signal) };
  };

  return {
    state,
    file,
    check: (source) =>
      start(async (show, signal) => {
        onImport(undefined);
        show({ kind: 'checking', objects: 0 });
        forbidEval();
        const { checkFile } = await import('./check-file.ts');
        const checked = await checkFile(source, {
          signal,
          onProgress: (objects) => show({ kind: 'checking', objects }),
        });
        if (checked.file === undefined) return { kind: 'invalid', mistakes: checked.mistakes };
        setFile(checked.file);
        return { kind: 'checked', file: checked.file };
      }),
    run: (isDryRun) =>
      start((show, signal) =>
        file === undefined
          ? Promise.resolve({ kind: 'choosing' })
          : sendFile({ client, file, isDryRun, show, onImport, finish, signal }),
      ),
    follow: (importId) =>
      start(async (show, signal) => {
        onImport(importId);
        show({ kind: 'lost', importId, failure: undefined });
        const onProgress = (status: FileImport) => show({ kind: 'running', isDryRun: status.dry_run, status });
        return await finish(
          await client.metadata.awaitImport(importId, { signal, onProgress, lostTimeoutMs: LOST_TIMEOUT_MS }),
          signal,
        );
      }),
    stop() {
      const importId = idOf(latest.current);
      if (importId === undefined) {
        task.end();
        setState({ kind: 'choosing' });
      } else void client.api.cancelMetadataImport({ params: { id: importId } }).catch(() => undefined);
    },
    restart() {
      task.end();
      onImport(undefined);
      setState({ kind: 'choosing' });
    },
  };
}

interface SendFileInput extends MetadataImportOptions {
  readonly client: Client;
  readonly file: ValidFile;
  readonly isDryRun: boolean;
  readonly show: (next: ImportState) => void;
  readonly finish: (status: FileImport, signal: AbortSignal) => Promise<ImportState>;
  readonly signal: AbortSignal;
}

async function sendFile(input: SendFileInput): Promise<ImportState> {
  const { client, file, isDryRun, show, onImport, finish, signal } = input;
  const onProgress = (status: FileImport) => show({ kind: 'running', isDryRun, status });
  let isStored = false;
  show({ kind: 'running', isDryRun, status: undefined });
  try {
    const status = await client.metadata.importFile(file.body, {
      format: file.format,
      dryRun: isDryRun,
      lostTimeoutMs: LOST_TIMEOUT_MS,
      signal,
      onStarted(started) {
        isStored = true;
        onImport(started.import_id);
        onProgress(started);
      },
      onProgress,
    });
    return await finish(status, signal);
  } catch (failure) {
    if (isStored) throw failure;
    const mistakes = mistakesOf(failure);
    return mistakes === undefined ? { kind: 'unconfirmed', isDryRun, failure } : { kind: 'invalid', mistakes };
  }
}
