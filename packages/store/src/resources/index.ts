export {
  type Actor,
  createResourceDatabase,
  joinTransaction,
  type ResourceDatabase,
  type TenantTransaction,
} from './resource-database.ts';
