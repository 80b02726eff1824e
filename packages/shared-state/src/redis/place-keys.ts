/** Where the places stand. The braces are the hash tag of Redis Cluster: whatever one script touches lies on one node. */
export interface PlaceKeys {
  readonly trust: string;
  /** Messages are tenants in which a place has come free. */
  readonly freed: string;
  ofTenant(tenantId: string): { readonly running: string; readonly queued: string; readonly bids: string };
}

export const createPlaceKeys = (prefix: string): PlaceKeys => {
  const root = `${prefix}{places}`;
  return {
    trust: `${root}:trust`,
    freed: `${root}:freed`,
    ofTenant: (tenantId) => ({
      running: `${root}:running:${tenantId}`,
      queued: `${root}:queued:${tenantId}`,
      bids: `${root}:bids:${tenantId}`,
    }),
  };
};
