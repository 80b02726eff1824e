import { fairOrder, type HeldSlots } from '../fair-order.ts';
import {
  type AcquireAnswer,
  BID_MS,
  type EnqueueAnswer,
  type QuerySlots,
  type SlotLimits,
  type SlotRequest,
} from '../query-slots.ts';

interface Bid extends SlotRequest {
  readonly untilMs: number;
}

interface TenantRequests {
  readonly running: Map<string, SlotRequest>;
  readonly queued: Map<string, SlotRequest>;
  readonly bids: Map<string, Bid>;
}

/** The slots of one process. Clients within the process see one another's requests. */
export class InProcessSlots implements QuerySlots {
  readonly #tenants = new Map<string, TenantRequests>();
  readonly #listeners = new Set<(tenantId: string) => void>();

  async acquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireAnswer> {
    const requests = this.#requestsOf(request.tenantId);
    if (requests.running.has(request.id)) return 'acquired';
    const held: HeldSlots = {
      ofTenant: () => requests.running.size,
      ofAccount: ({ accountId }) => countOf(requests.running, accountId),
    };
    if (held.ofAccount(request) >= limits.account) {
      requests.bids.delete(request.id);
      this.#tidy(request.tenantId);
      return 'account_full';
    }
    const others = liveBids(requests).filter(({ id }) => id !== request.id);
    const order = fairOrder<SlotRequest>([request, ...others], held);
    if (requests.running.size + order.indexOf(request) >= limits.tenant) {
      requests.bids.set(request.id, { ...request, untilMs: performance.now() + BID_MS });
      return 'tenant_full';
    }
    requests.running.set(request.id, request);
    requests.queued.delete(request.id);
    requests.bids.delete(request.id);
    return 'acquired';
  }

  async enqueue(request: SlotRequest, limits: SlotLimits): Promise<EnqueueAnswer> {
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
    const ran = requests.running.delete(id);
    requests.queued.delete(id);
    requests.bids.delete(id);
    this.#tidy(tenantId);
    if (ran) for (const listener of this.#listeners) listener(tenantId);
  }

  onReleased(listener: (tenantId: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #requestsOf(tenantId: string): TenantRequests {
    const found = this.#tenants.get(tenantId);
    if (found !== undefined) return found;
    const made: TenantRequests = { running: new Map(), queued: new Map(), bids: new Map() };
    this.#tenants.set(tenantId, made);
    return made;
  }

  #tidy(tenantId: string): void {
    const requests = this.#tenants.get(tenantId);
    if (requests !== undefined && requests.running.size + requests.queued.size + requests.bids.size === 0)
      this.#tenants.delete(tenantId);
  }
}

const countOf = (requests: ReadonlyMap<string, SlotRequest>, accountId: string): number => {
  let count = 0;
  for (const request of requests.values()) if (request.accountId === accountId) count += 1;
  return count;
};

const liveBids = ({ bids }: TenantRequests): readonly Bid[] => {
  const now = performance.now();
  for (const [id, { untilMs }] of bids) if (untilMs <= now) bids.delete(id);
  return [...bids.values()];
};
