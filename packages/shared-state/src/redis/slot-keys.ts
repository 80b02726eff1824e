/**
 * Redis keys of the slots. The braces are the hash tag of Redis Cluster, which puts all keys of a script on one node. The words
 * `places`, `freed` and `bids` stem from earlier versions, with which this one shares its counts during a rolling upgrade.
 */
export interface SlotKeys {
  readonly trust: string;
  /** Channel whose messages are the tenants of released slots. */
  readonly released: string;
  ofTenant(tenantId: string): { readonly running: string; readonly queued: string; readonly contending: string };
}

export const createSlotKeys = (prefix: string): SlotKeys => {
  const root = `${prefix}{places}`;
  return {
    trust: `${root}:trust`,
    released: `${root}:freed`,
    ofTenant: (tenantId) => ({
      running: `${root}:running:${tenantId}`,
      queued: `${root}:queued:${tenantId}`,
      contending: `${root}:bids:${tenantId}`,
    }),
  };
};
