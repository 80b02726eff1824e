import { createHmac, hkdfSync } from 'node:crypto';

const PURPOSE = 'sluice kept result request 1';
const KEY_BYTES = 32;

/** Everything that determines the rows of a statement for one account, except its rights and the data. */
export interface ResultRequest {
  readonly engine: string;
  readonly sql: string;
  readonly parameters: readonly { readonly name: string; readonly type: object; readonly value: unknown }[];
  readonly timeZone: string;
  /** Catalog and schema of unqualified names. Undefined: those of the engine. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  /** Undefined: all rows. */
  readonly rowsMax: number | undefined;
}

/**
 * Returns the key by which a kept result is found again: HMAC-SHA-256 under a key of the tenant, so that the database shows neither the
 * statement nor that two tenants run the same one. The order of parameters does not matter.
 */
export function requestKeyOf(storeKey: Uint8Array, tenantId: string, request: ResultRequest): Buffer {
  const { engine, sql, parameters, timeZone, rowsMax, catalog, schema } = request;
  const key = Buffer.from(hkdfSync('sha256', storeKey, Buffer.from(tenantId), PURPOSE, KEY_BYTES));
  const named = parameters
    .map(({ name, type, value }) => [name, type, value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  // Absent for a request that names neither, so that its key is that of earlier versions.
  const namespace = catalog === undefined && schema === undefined ? [] : [catalog ?? null, schema ?? null];
  const text = JSON.stringify([engine, sql, named, timeZone, rowsMax ?? null, ...namespace]);
  return createHmac('sha256', key).update(text).digest();
}
