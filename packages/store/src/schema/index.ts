export { migrate } from './migrate.ts';
export type { ServingRole } from './serving-roles.ts';
