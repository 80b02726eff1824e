import { useSession } from '../../session/session-context.tsx';
import { type StoppableTask, type TaskState, useStoppableTask } from '../../ui/use-stoppable-task.ts';
import type { DownloadSnapshot } from '../download-state.ts';
import { useDownloadStore } from '../downloads-context.tsx';
import { compareFile, type FileVerdict } from './compare-file.ts';
import { type FoundDownload, findByContent, findById, type HashedFile, type KnownDownload } from './find-receipt.ts';
import { runHashWorker } from './run-hash-worker.ts';

interface FileCheckInput {
  readonly file: File;
  /** Id of the query of the download. Undefined: the download is looked for. */
  readonly queryId: string | undefined;
  /** Download that the file should be. Undefined: the user has not said. */
  readonly expected: DownloadSnapshot | undefined;
}

/** Outcome of a check. */
export type CheckedFile =
  | { readonly kind: 'compared'; readonly verdict: FileVerdict; readonly download: KnownDownload }
  | Exclude<FoundDownload, { kind: 'found' }>;

type CheckProgress =
  | { readonly kind: 'hashing'; readonly bytes: number; readonly bytesMax: number }
  | { readonly kind: 'looking' }
  | { readonly kind: 'done'; readonly file: HashedFile; readonly result: CheckedFile };
export type FileCheckState = TaskState<CheckProgress>;
export type FileCheckTask = StoppableTask<FileCheckInput, CheckProgress>;

/** Returns checks of files, one at a time. A file is hashed again each time, because it may have changed. */
export function useFileCheck(): FileCheckTask {
  const { client } = useSession();
  const store = useDownloadStore();
  return useStoppableTask<FileCheckInput, CheckProgress>(
    { kind: 'looking' },
    async ({ file, queryId, expected }, { show, signal }) => {
      const { name, size: bytesMax } = file;
      const onBytes = (bytes: number): void => show({ kind: 'hashing', bytes, bytesMax });
      onBytes(0);
      const hashed: HashedFile = { name, bytes: bytesMax, sha256: await runHashWorker(file, { signal, onBytes }) };
      show({ kind: 'looking' });
      const options = { listed: store.getList().downloads, expected, signal };
      const found =
        queryId === undefined ? await findByContent(client, hashed, options) : await findById(client, queryId, options);
      const result: CheckedFile =
        found.kind === 'found'
          ? { kind: 'compared', verdict: compareFile(hashed, found.download), download: found.download }
          : found;
      show({ kind: 'done', file: hashed, result });
    },
  );
}
