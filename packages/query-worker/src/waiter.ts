import type { WorkerProcess } from './worker-process.ts';

/** Who wants a worker: for which engine, and on whose account where that is known. */
export interface WorkerApplicant {
  readonly engineKey: string;
  readonly accountId: string | undefined;
}

/** A statement that waits for a worker: served once, or given up once. */
export class Waiter {
  readonly applicant: WorkerApplicant;
  readonly worker: Promise<WorkerProcess>;
  isWaiting = true;
  #settle:
    | { readonly resolve: (worker: WorkerProcess) => void; readonly reject: (reason: unknown) => void }
    | undefined;

  constructor(applicant: WorkerApplicant) {
    this.applicant = applicant;
    this.worker = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  resolve(worker: WorkerProcess): void {
    this.isWaiting = false;
    this.#settle?.resolve(worker);
  }

  reject(reason: unknown): void {
    this.isWaiting = false;
    this.#settle?.reject(reason);
  }
}
