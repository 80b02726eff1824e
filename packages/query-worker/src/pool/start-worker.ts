import { temporaryFileProblem } from '@sluice/contract/problems';
import { WorkerProcess, type WorkerProcessOptions } from '../parent/worker-process.ts';
import type { TempFolders } from './temp-folders.ts';

/**
 * Starts a worker with a temporary folder, which is removed when the process has ended for any reason. Throws `storage_unavailable`
 * when the folder cannot be created and `engine_unavailable` when the process cannot be started.
 */
export async function startWorker(
  tempFolders: TempFolders,
  options: Omit<WorkerProcessOptions, 'tempFolder'>,
  signal: AbortSignal,
): Promise<WorkerProcess> {
  const tempFolder = await tempFolders.create().catch((thrown: unknown) => {
    throw temporaryFileProblem(thrown);
  });
  const remove = (): void => tempFolders.remove(tempFolder);
  try {
    const worker = await WorkerProcess.start({ ...options, tempFolder }, signal);
    void worker.exited.then(remove);
    return worker;
  } catch (thrown) {
    remove();
    throw thrown;
  }
}
