/**
 * - serving: normal operation.
 * - draining: probes return 503, so that load balancers remove the endpoint; requests are still served.
 * - refusing: new requests return 503 `server_shutdown`.
 * - stopped: the port is closed.
 */
type LifecycleState = 'serving' | 'draining' | 'refusing' | 'stopped';

/** Lifecycle of a host: read by the kernel and by probes, changed by `drain`. */
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
