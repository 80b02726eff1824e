import type { Requester } from '@sluice/shared-state';

/** An account that asks for a worker, and the limits of its tenant where it has its own. */
export interface WorkerRequester extends Requester {
  /** Key of the engine that the worker must serve. */
  readonly engineKey: string;
  readonly queriesPerUser?: number | undefined;
  readonly queriesPerTenant?: number | undefined;
  /** `background`: work that no user waits for. It may use the slots that are kept for it, and none of the rules of fairness bind it. */
  readonly purpose?: 'user' | 'background';
}

/** A request that waits until somebody gives up a slot. */
export interface BlockedRequest extends Requester {
  /** The slot of any tenant helps; otherwise only one of its own. */
  readonly isHelpedByAny: boolean;
}
