import type { AuditAction } from './audit-action.ts';

/** Keys of the outcome of a query, which is merged with the metadata of its record. The two have no key in common. */
export const AUDIT_OUTCOME_KEYS = [
  'state',
  'rows',
  'bytes',
  'sha256',
  'limited',
  'duration_ms',
  'error',
  'at_least',
] as const;

const DATAMAP_CHANGE = ['datamap_id', 'sql', 'before', 'after'] as const;
const DOMAIN_CHANGE = ['domain_id', 'before', 'after'] as const;
const ACCESS_CHANGE = ['request_id', 'user', 'reason', 'expires_ts', 'note'] as const;
const ITEM_CHANGE = ['before', 'after'] as const;
/** Filters of a read of all grants, or the recipient of one grant. */
const GRANTS_READ = ['role', 'user', 'client', 'item', 'expired', 'kind', 'name'] as const;
const USER_CHANGE = ['user_id', 'before', 'after'] as const;
const SERVICE_ACCOUNT_CHANGE = ['account_id', 'before', 'after'] as const;
const FILTER_KEYS = ['start', 'end', 'user_name', 'action', 'target', 'request_id', 'query_id'] as const;

/** Metadata keys of each action. Absent values are omitted. A test checks that every action has an entry. */
export const AUDIT_METADATA: Readonly<Partial<Record<AuditAction, readonly string[]>>> = {
  RUN_QUERY: ['sql', 'format', 'size', ...AUDIT_OUTCOME_KEYS],
  DOWNLOAD_QUERY: ['sql', 'format', 'filename', ...AUDIT_OUTCOME_KEYS],
  DOWNLOAD_MARKETPLACE: ['sql', 'item_id', 'version', 'format', 'compression', 'queries', ...AUDIT_OUTCOME_KEYS],
  CREATE_MARKETPLACE_ITEM: ITEM_CHANGE,
  UPDATE_MARKETPLACE_ITEM: ITEM_CHANGE,
  DELETE_MARKETPLACE_ITEM: ITEM_CHANGE,
  GRANT_MARKETPLACE_ITEM: ITEM_CHANGE,
  REQUEST_ACCESS: ACCESS_CHANGE,
  APPROVE_ACCESS: ACCESS_CHANGE,
  REFUSE_ACCESS: ACCESS_CHANGE,
  READ_MARKETPLACE: ['q', 'from', 'size', 'version', 'requests', ...GRANTS_READ],
  CANCEL_QUERY: [],
  LOGIN: ['method', 'issuer', 'linked', 'confirmed_by'],
  LOGIN_FAILED: ['method', 'name_digest', 'issuer', 'subject', 'reason'],
  REFRESH_TOKEN: ['repeated'],
  REFRESH_TOKEN_REUSED: [],
  ISSUE_TOKEN: ['grant'],
  LOGOUT: [],
  IMPORT_METADATA: ['dry_run', 'objects', 'replayed'],
  READ_DOMAINS: ['from', 'size', 'domain_id'],
  CREATE_DOMAIN: DOMAIN_CHANGE,
  UPDATE_DOMAIN: DOMAIN_CHANGE,
  DELETE_DOMAIN: DOMAIN_CHANGE,
  SEARCH_DATAMAPS: ['q', 'from', 'size', 'sort_key', 'sort_value', 'advance_options'],
  READ_DATAMAP: ['datamap_id'],
  DESCRIBE_QUERY: ['sql', 'datamap_id'],
  CREATE_DATAMAP: DATAMAP_CHANGE,
  UPDATE_DATAMAP: DATAMAP_CHANGE,
  PUBLISH_DATAMAP: DATAMAP_CHANGE,
  UNPUBLISH_DATAMAP: DATAMAP_CHANGE,
  ARCHIVE_DATAMAP: DATAMAP_CHANGE,
  DELETE_DATAMAP: DATAMAP_CHANGE,
  SET_DATAMAP_ACTIVITY: ['datamap_id', 'before', 'after'],
  SEARCH_AUDIT_LOGS: ['size', 'sort_value', ...FILTER_KEYS, 'page', 'records', 'total'],
  EXPORT_AUDIT_LOGS: ['format', 'raw', ...FILTER_KEYS],
  FOLLOW_AUDIT_LOGS: ['after'],
  READ_AUDIT_CHECKPOINTS: ['after', 'size', 'checkpoints'],
  UPDATE_AUDIT_RETENTION: ['before', 'after'],
  START_HARVEST: ['state'],
  READ_HARVESTS: [],
  READ_USERS: ['q', 'role', 'from', 'size', 'user_id'],
  CREATE_USER: [...USER_CHANGE, 'invited', 'issuer'],
  UPDATE_USER: [...USER_CHANGE, 'issuer'],
  RESET_PASSWORD: ['user_id', 'invited'],
  DELETE_USER: USER_CHANGE,
  ACCEPT_INVITATION: ['user_id', 'invited_by'],
  LINK_IDENTITY: ['user_id', 'issuer', 'before', 'after'],
  READ_ROLES: [],
  CREATE_ROLE: ['before', 'after'],
  UPDATE_ROLE: ['before', 'after'],
  DELETE_ROLE: ['before', 'after', 'users', 'service_accounts'],
  READ_SERVICE_ACCOUNTS: ['q', 'role', 'from', 'size', 'account_id'],
  CREATE_SERVICE_ACCOUNT: SERVICE_ACCOUNT_CHANGE,
  UPDATE_SERVICE_ACCOUNT: SERVICE_ACCOUNT_CHANGE,
  DELETE_SERVICE_ACCOUNT: SERVICE_ACCOUNT_CHANGE,
  ADD_CLIENT_SECRET: ['account_id', 'secret_id'],
  REVOKE_CLIENT_SECRET: ['account_id', 'secret_id'],
  READ_IDENTITY_PROVIDER: [],
  UPDATE_IDENTITY_PROVIDER: ['before', 'after', 'client_secret_changed'],
  DELETE_IDENTITY_PROVIDER: ['before', 'after'],
  APPLY_CONFIGURATION: ['dry_run', 'created_count', 'updated_count', 'unchanged_count'],
  READ_TENANT: [],
  CREATE_TENANT: ['admin_email', 'email_domains'],
  UPDATE_TENANT: ['before', 'after'],
  INVITE_ADMIN: ['admin_email'],
  SUSPEND_TENANT: [],
  RESUME_TENANT: [],
  REQUEST_TENANT_REMOVAL: [],
  ACCESS_DENIED: ['permission', 'dry_run', 'objects'],
};
