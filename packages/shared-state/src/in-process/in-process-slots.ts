import { fairOrder, type HeldSlots } from '../fair-order.ts';
import {
  type AcquireResult,
  CONTENTION_MS,
  type EnqueueResult,
  type QuerySlots,
  type SlotLimits,
  type SlotRequest,
} from '../query-slots.ts';

interface ContendingRequest extends SlotRequest {
  readonly untilMs: number;
}

interface TenantRequests {
  readonly running: Map<string, SlotRequest>;
  readonly queued: Map<string, SlotRequest>;
  /** Requests that the tenant's limit refused within `CONTENTION_MS`. */
  readonly contending: Map<string, ContendingRequest>;
}

/** Slots of one process. Several admissions in the process share them. */
export class InProcessSlots implements QuerySlots {
  readonly #tenants = new Map<string, TenantRequests>();
  readonly #listeners = new Set<(tenantId: string) => void>();

  async acquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireResult> {
    const requests = this.#requestsOf(request.tenantId);
    if (requests.running.has(request.id)) return 'acquired';
    const held: HeldSlots = {
      ofTenant: () => requests.running.size,
      ofAccount: ({ accountId }) => countOf(requests.running, accountId),
    };
    if (held.ofAccount(request) >= limits.account) {
      requests.contending.delete(request.id);
      this.#dropIfEmpty(request.tenantId);
      return 'account_full';
    }
    const others = liveContending(requests).filter(({ id }) => id !== request.id);
    const order = fairOrder<SlotRequest>([request, ...others], held);
    if (requests.running.size + order.indexOf(request) >= limits.tenant) {
      requests.contending.set(request.id, { ...request, untilMs: performance.now() + CONTENTION_MS });
      return 'tenant_full';
    }
    requests.running.set(request.id, request);
    requests.queued.delete(request.id);
    requests.contending.delete(request.id);
    return 'acquired';
  }

  async enqueue(request: SlotRequest, limits: SlotLimits): Promise<EnqueueResult> {
    const { queued } = this.#requestsOf(request.tenantId);
    if (queued.has(request.id)) return 'queued';
    if (countOf(queued, request.accountId) >= limits.account) return 'account_queue_full';
    if (queued.size >= limits.tenant) return 'tenant_queue_full';
    queued.set(request.id, request);
    return 'queued';
  }

  release({ id, tenantId }: SlotRequest): void {
    const requests = this.#tenants.get(tenantId);
    if (requests === undefined) return;
    const wasRunning = requests.running.delete(id);
    requests.queued.delete(id);
    requests.contending.delete(id);
    this.#dropIfEmpty(tenantId);
    if (wasRunning) for (const listener of this.#listeners) listener(tenantId);
  }

  onReleased(listener: (tenantId: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #requestsOf(tenantId: string): TenantRequests {
    const found = this.#tenants.get(tenantId);
    if (found !== undefined) return found;
    const created: TenantRequests = { running: new Map(), queued: new Map(), contending: new Map() };
    this.#tenants.set(tenantId, created);
    return created;
  }

  #dropIfEmpty(tenantId: string): void {
    const requests = this.#tenants.get(tenantId);
    if (requests !== undefined && requests.running.size + requests.queued.size + requests.contending.size === 0)
      this.#tenants.delete(tenantId);
  }
}

const countOf = (requests: ReadonlyMap<string, SlotRequest>, accountId: string): number => {
  let count = 0;
  for (const request of requests.values()) if (request.accountId === accountId) count += 1;
  return count;
};

const liveContending = ({ contending }: TenantRequests): readonly ContendingRequest[] => {
  const now = performance.now();
  for (const [id, { untilMs }] of contending) if (untilMs <= now) contending.delete(id);
  return [...contending.values()];
};
