import { Impact } from '../ui/impact.tsx';
import { type AdminRole, useHolders } from './use-admin.ts';
import { useRoleLosses } from './use-role-losses.ts';

interface RoleImpactProps {
  readonly name: string;
  /** Permissions after the change; undefined: the role is deleted. */
  readonly after: readonly string[] | undefined;
  readonly roles: readonly AdminRole[];
  /** Whether anything is changed yet. */
  readonly isChanged: boolean;
}

/** Lists the accounts that lose a permission when a role changes. */
export function RoleImpact({ name, after, roles, isChanged }: RoleImpactProps) {
  const lossesOf = useRoleLosses();
  const holders = useHolders([name]);
  if (holders === undefined) return null;
  return <Impact losses={lossesOf({ holders, roles, changed: new Map([[name, after]]) })} isChanged={isChanged} />;
}
