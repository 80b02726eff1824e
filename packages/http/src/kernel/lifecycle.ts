/**
 * serving: all is well. draining: probes say 503 so that the endpoint is withdrawn, requests are still served.
 * refusing: new requests get 503 `server_shutdown`. stopped: nothing listens any more.
 */
export type LifecycleState = 'serving' | 'draining' | 'refusing' | 'stopped';

/** Where a host is in its life: read by the kernel and by probes, moved on by `drain`. */
export interface Lifecycle {
  readonly state: LifecycleState;
  moveTo(state: LifecycleState): void;
}

export function createLifecycle(): Lifecycle {
  let state: LifecycleState = 'serving';
  return {
    get state() {
      return state;
    },
    moveTo(next) {
      state = next;
    },
  };
}
