export {
  type Actor,
  createResourceDatabase,
  type ResourceDatabase,
  type TenantContent,
  type TenantTransaction,
} from './resource-database.ts';
