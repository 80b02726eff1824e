import type { Client, FileImport } from '@sluice/client';
import { FILE_BYTES_MAX } from '@sluice/contract/metadata-files';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/use-client.ts';
import type { FileSource, FileViolation } from './file-source.ts';
import { type ImportReport, readImportReport } from './import-report.ts';

/** State of an import, from the choice of a file to the report. */
export type ImportState =
  /** `failure` is why a file was not sent. */
  | { readonly kind: 'choosing'; readonly failure?: unknown }
  /** The file has violations and cannot be applied. */
  | { readonly kind: 'invalid'; readonly violations: readonly FileViolation[] }
  /** `status` is undefined while the file is sent. */
  | { readonly kind: 'running'; readonly isDryRun: boolean; readonly status: FileImport | undefined }
  | { readonly kind: 'ended'; readonly status: FileImport; readonly report: ImportReport }
  /** The host has not confirmed the file, so whether it has it is not known. */
  | { readonly kind: 'unconfirmed'; readonly isDryRun: boolean; readonly failure: unknown }
  /** The import goes on at the host, and this page does not see it. */
  | { readonly kind: 'lost'; readonly importId: string; readonly failure: unknown };

export interface MetadataImport {
  readonly state: ImportState;
  /** The last file that was chosen, unless the page was loaded since. */
  readonly file: FileSource | undefined;
  /** Sends a file for a dry run, in which the host checks it and compares it with what is stored. */
  check(file: FileSource): void;
  /** Sends the last file. */
  run(isDryRun: boolean): void;
  /** Waits for the end of an import that was started before. */
  follow(importId: string): void;
  /** Stops the transfer of a file, or the import at the host after the batch in progress. */
  stop(): void;
  restart(): void;
}

interface MetadataImportOptions {
  /** Called with the id of an import that the host has stored, so that the address can hold it. Undefined: there is none any more. */
  readonly onImport: (importId: string | undefined) => void;
}

/** Time without a response of the host after which the page says that it has lost sight of the import, in milliseconds. */
const LOST_TIMEOUT_MS = 15_000;

const TOO_LARGE: FileViolation = { path: 'file', message: 'has more than 64 MiB; split it' };
/** A JSON file may be a dry run by itself, so that it would never be applied. */
const OWN_DRY_RUN: FileViolation = {
  path: 'file',
  message: 'has the member dry_run, which is not accepted here; remove it',
};

/** Returns the violations that the host has found in a file, or undefined if it rejected the request for another reason. */
function readViolations(error: unknown): readonly FileViolation[] | undefined {
  if (typeof error !== 'object' || error === null || Reflect.get(error, 'code') !== 'invalid_request') return undefined;
  const details: unknown = Reflect.get(error, 'details');
  return Array.isArray(details) && details.length > 0 ? (details as FileViolation[]) : undefined;
}

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

const findImportId = (state: ImportState): string | undefined =>
  state.kind === 'running' ? state.status?.import_id : state.kind === 'lost' ? state.importId : undefined;

/** Sends a file of metadata, and follows its import. */
export function useMetadataImport({ onImport }: MetadataImportOptions): MetadataImport {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ kind: 'choosing' });
  const [file, setFile] = useState<FileSource>();
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
      const importId = findImportId(latest.current);
      if (importId === undefined) show({ kind: 'choosing', failure });
      else show({ kind: 'lost', importId, failure });
    });
  };

  const finish = async (status: FileImport, signal: AbortSignal): Promise<ImportState> => {
    if (!status.dry_run) await queries.invalidateQueries();
    return { kind: 'ended', status, report: await readImportReport(client, status, signal) };
  };

  const send = (sent: FileSource, isDryRun: boolean): void =>
    start((show, signal) => sendFile({ client, file: sent, isDryRun, show, onImport, finish, signal }));

  return {
    state,
    file,
    check(chosen) {
      onImport(undefined);
      setFile(chosen);
      send(chosen, true);
    },
    run(isDryRun) {
      if (file !== undefined) send(file, isDryRun);
    },
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
      const importId = findImportId(latest.current);
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
  readonly file: FileSource;
  readonly isDryRun: boolean;
  readonly show: (next: ImportState) => void;
  readonly finish: (status: FileImport, signal: AbortSignal) => Promise<ImportState>;
  readonly signal: AbortSignal;
}

async function sendFile(input: SendFileInput): Promise<ImportState> {
  const { client, file, isDryRun, show, onImport, finish, signal } = input;
  const onProgress = (status: FileImport) => show({ kind: 'running', isDryRun: status.dry_run, status });
  let isStored = false;
  // A browser does not read the response of the host before it has sent all bytes.
  if (file.content.size > FILE_BYTES_MAX) return { kind: 'invalid', violations: [TOO_LARGE] };
  show({ kind: 'running', isDryRun, status: undefined });
  // A file that cannot be read fails here, and not as a failure of the connection.
  await file.content.slice(0, 1).arrayBuffer();
  try {
    const status = await client.metadata.importFile(file.content, {
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
    if (status.dry_run && !isDryRun) return { kind: 'invalid', violations: [OWN_DRY_RUN] };
    return await finish(status, signal);
  } catch (failure) {
    if (isStored) throw failure;
    const violations = readViolations(failure);
    return violations === undefined ? { kind: 'unconfirmed', isDryRun, failure } : { kind: 'invalid', violations };
  }
}
