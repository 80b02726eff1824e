import { settleWrites } from './settle-writes.ts';
import { WriteLane } from './write-lane.ts';

/** What is written, and how. */
export interface GatheredWrites<W, A> {
  /** Commits these writes of one tenant together and answers them in their order. Throws `service_unavailable` after an outage alone. */
  readonly writeAll: (tenantId: string, writes: readonly W[]) => Promise<readonly A[]>;
  /** How much text a write carries. */
  readonly charactersOf: (write: W) => number;
}

/**
 * Commits together what one tenant writes at the same time. A write goes out at once when none of its tenant is under way;
 * otherwise it waits for that one's end and goes out with all who waited, so nobody ever waits for company. Each is answered after
 * its own commit.
 */
export function gatherWrites<W, A>(writes: GatheredWrites<W, A>): (tenantId: string, write: W) => Promise<A> {
  const lanes = new Map<string, WriteLane<W, A>>();

  const open = (tenantId: string): WriteLane<W, A> => {
    const lane = new WriteLane<W, A>({
      charactersOf: writes.charactersOf,
      send: (batch) => settleWrites(batch, (members) => writes.writeAll(tenantId, members)),
      onIdle: () => void lanes.delete(tenantId),
    });
    lanes.set(tenantId, lane);
    return lane;
  };

  return (tenantId, write) => (lanes.get(tenantId) ?? open(tenantId)).add(write);
}
