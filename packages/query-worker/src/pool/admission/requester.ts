import type { Requester } from '@sluice/shared-state';

/** An account that requests a worker, with the limits that its tenant's settings override. */
export interface WorkerRequester extends Requester {
  /** Key of the engine that the worker must serve. */
  readonly engineKey: string;
  readonly queriesPerUser?: number | undefined;
  readonly queriesPerTenant?: number | undefined;
  /** `background` is work that no user waits for. It may use the background slots and is exempt from fair ordering. */
  readonly purpose?: 'user' | 'background';
}

/** A request that waits until a running query releases a slot. */
export interface BlockedRequest extends Requester {
  /** Whether a slot of any tenant unblocks it; otherwise only a slot of its own tenant does. */
  readonly isHelpedByAny: boolean;
}
