/**
 * Keys of the slots. The braces are the hash tag of Redis Cluster: all keys that one script touches are on one node. Their name is
 * that of earlier versions, which count together with this one during an upgrade.
 */
export interface SlotKeys {
  readonly trust: string;
  /** Messages are tenants in which a slot was released. */
  readonly released: string;
  ofTenant(tenantId: string): { readonly running: string; readonly queued: string; readonly bids: string };
}

export const createSlotKeys = (prefix: string): SlotKeys => {
  const root = `${prefix}{places}`;
  return {
    trust: `${root}:trust`,
    released: `${root}:freed`,
    ofTenant: (tenantId) => ({
      running: `${root}:running:${tenantId}`,
      queued: `${root}:queued:${tenantId}`,
      bids: `${root}:bids:${tenantId}`,
    }),
  };
};
