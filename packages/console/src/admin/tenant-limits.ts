import type { ApiOperationTypes } from '@sluice/client';

export type TenantLimits = ApiOperationTypes['getLimits']['result'];
export type LimitName = keyof TenantLimits['own'];

/** Limits in the order of the form, with how a field shows them. The host counts time in milliseconds. */
export const LIMITS = [
  { name: 'query_time_ms', factor: 1000, min: 1 },
  { name: 'queries_per_user', factor: 1, min: 1 },
  { name: 'queries_per_tenant', factor: 1, min: 1 },
  { name: 'rows_max', factor: 1, min: 1 },
  { name: 'bytes_max', factor: 1, min: 1 },
  { name: 'keep_time_ms', factor: 1000, min: 0 },
  { name: 'kept_bytes_max', factor: 1, min: 1 },
  { name: 'console_keep_ms', factor: 1000, min: 0 },
] as const satisfies readonly { readonly name: LimitName; readonly factor: number; readonly min: number }[];

/** Input of each field. An empty one means that the tenant has no limit of its own. */
export type LimitInput = Readonly<Record<LimitName, string>>;

/** Returns the field values of the limits that the tenant has set. */
export const limitInput = ({ own }: Pick<TenantLimits, 'own'>): LimitInput =>
  Object.fromEntries(
    LIMITS.map(({ name, factor }) => {
      const value = own[name];
      return [name, value === null ? '' : String(value / factor)];
    }),
  ) as LimitInput;

/** Returns the limit that a field sets: null for an empty one, undefined if it is not a whole number in the range of the host. */
export function parseLimit(text: string, { factor, min }: (typeof LIMITS)[number]): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d{1,15}(?:\.\d{1,3})?$/.test(trimmed)) return undefined;
  const value = Math.round(Number(trimmed) * factor);
  const isExact = factor > 1 || Number.isInteger(Number(trimmed));
  return isExact && Number.isSafeInteger(value) && value >= min * factor ? value : undefined;
}

/** A limit in force that a change lowers. Null: no limit. */
export interface LoweredLimit {
  readonly name: LimitName;
  readonly from: number | null;
  readonly to: number;
}

/** Returns the limits in force that are lower after a change. */
export function loweredLimits(
  { operator, effective }: TenantLimits,
  next: Readonly<Record<LimitName, number | null>>,
): readonly LoweredLimit[] {
  return LIMITS.flatMap(({ name }) => {
    const to = smaller(next[name], operator[name]);
    const from = effective[name];
    return to !== null && (from === null || to < from) ? [{ name, from, to }] : [];
  });
}

const smaller = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other);
