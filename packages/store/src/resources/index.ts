export {
  type Actor,
  createResourceDatabase,
  type ResourceDatabase,
  type TenantTransaction,
} from './resource-database.ts';
