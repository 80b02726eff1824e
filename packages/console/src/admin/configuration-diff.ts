import type { ApiOperationTypes } from '@sluice/client';
import { lostByRoles, type RolePermissions } from './permissions.ts';

export type Applied = ApiOperationTypes['applyConfiguration']['result'];
export type AppliedChange = Applied['changes'][number];

/** A member of an object before and after a change, as JSON. Undefined: it did not exist. */
export interface ChangedMember {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : value == null
      ? {}
      : { value };

const textOf = (value: unknown): string | undefined =>
  value == null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns the members that a change sets, or that differ after it. */
export function changedMembers({ before, after }: Pick<AppliedChange, 'before' | 'after'>): readonly ChangedMember[] {
  const [valueBefore, valueAfter] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(valueBefore), ...Object.keys(valueAfter)])].flatMap((name) => {
    const member = { name, before: textOf(valueBefore[name]), after: textOf(valueAfter[name]) };
    return member.before === member.after ? [] : [member];
  });
}

/** Permissions that an account loses when a file is applied, and whether the file disables it. */
export interface LostByAccount {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly isDisabled: boolean;
}

const namesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];

/** Returns the permissions that the changed roles have after a file. */
export const rolesAfter = (changes: readonly AppliedChange[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    changes.flatMap(({ kind, name, action, after }) =>
      kind === 'role' && action === 'update' ? [[name, namesOf(membersOf(after)['permissions'])] as const] : [],
    ),
  );

/** Returns what accounts that a file changes lose because it gives them other roles or disables them. */
export const lostByAccountOf = (changes: readonly AppliedChange[], roles: RolePermissions): readonly LostByAccount[] =>
  changes.flatMap(({ kind, name, action, before, after }) => {
    if ((kind !== 'user' && kind !== 'service_account') || action !== 'update') return [];
    const [valueBefore, valueAfter] = [membersOf(before), membersOf(after)];
    const permissions = lostByRoles(namesOf(valueBefore['roles']), namesOf(valueAfter['roles']), roles);
    const isDisabled = valueAfter['disabled'] === true && valueBefore['disabled'] !== true;
    return permissions.length === 0 && !isDisabled ? [] : [{ name, permissions, isDisabled }];
  });

/** A grant that a file takes away. */
interface LostGrant {
  /** Id of the item. */
  readonly item: string;
  readonly kind: 'user' | 'role' | 'client';
  readonly name: string;
}

const KINDS = ['user', 'role', 'client'] as const;

const grantsOf = (item: string, value: unknown): readonly LostGrant[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => {
    const { kind, name } = membersOf(each) as { readonly kind?: unknown; readonly name?: unknown };
    const known = KINDS.find((one) => one === kind);
    return known === undefined || typeof name !== 'string' ? [] : [{ item, kind: known, name }];
  });

/** Returns the grants of items that a file takes away. */
export const lostGrantsOf = (changes: readonly AppliedChange[]): readonly LostGrant[] =>
  changes.flatMap(({ kind, name: item, action, before, after }) => {
    if (kind !== 'marketplace_grants' || action !== 'update') return [];
    const left = new Set(grantsOf(item, after).map((grant) => `${grant.kind} ${grant.name}`));
    return grantsOf(item, before).filter((grant) => !left.has(`${grant.kind} ${grant.name}`));
  });

/** Returns a string that is equal for two responses with the same effect, whatever they show only once. */
export const effectOf = ({ changes }: Applied): string =>
  JSON.stringify(changes.map(({ kind, name, action, before, after }) => [kind, name, action, before, after]));

/** Returns the media type of a file for the host, which reads JSON and YAML. */
export const mediaTypeOf = (text: string): string => (/^\s*\{/.test(text) ? 'application/json' : 'application/yaml');
