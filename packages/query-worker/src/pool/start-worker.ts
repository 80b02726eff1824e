import { WorkerProcess, type WorkerProcessOptions } from '../parent/worker-process.ts';
import { notStarted } from './pool-problems.ts';
import type { TempFolders } from './temp-folders.ts';

/** Its temporary folder goes when the process has ended, however it ends. Throws `engine_unavailable` when either cannot be had. */
export async function startWorker(
  tempFolders: TempFolders,
  options: Omit<WorkerProcessOptions, 'tempFolder'>,
  signal: AbortSignal,
): Promise<WorkerProcess> {
  const tempFolder = await tempFolders.create().catch((cause: unknown) => {
    throw notStarted(cause);
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
