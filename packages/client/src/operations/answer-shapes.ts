// Written by `npm run docs:generate` from packages/contract.

const SHAPE_0 = { status: 'string', service: 'string' } as const;
const SHAPE_1 = { status: 'string', service: 'string', checks: 'object' } as const;
const SHAPE_2 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
  queued_per_user: 'number',
  queued_per_tenant: 'number',
  queue_timeout_ms: 'number',
} as const;
const SHAPE_3 = { queries: 'number', tenant_queries: 'number', queued: 'number', tenant_queued: 'number' } as const;
const SHAPE_4 = {
  kind: 'string',
  id: 'string',
  user: 'string',
  tenant: 'string',
  roles: ['string'],
  permissions: ['string'],
  has_password: 'boolean',
  'session_expires_ts|null': 'number',
  limits: SHAPE_2,
  use: SHAPE_3,
} as const;
const SHAPE_5 = {
  query_id: 'string',
  user: 'string',
  kind: 'string',
  sql: 'string',
  'sql_truncated?': 'boolean',
  state: 'string',
  started_ts: 'number',
  rows: 'number',
  bytes: 'number',
} as const;
const SHAPE_6 = { data: [SHAPE_5] } as const;
const SHAPE_7 = { code: 'string', message: 'string' } as const;
const SHAPE_8 = {
  query_id: 'string',
  state: 'string',
  rows: 'number',
  bytes: 'number',
  'sha256|null': 'string',
  limited: 'boolean',
  'at_least?': 'boolean',
  started_ts: 'number',
  'ended_ts|null': 'number',
  'error|null': SHAPE_7,
} as const;
const SHAPE_9 = { name: 'string', type: 'string' } as const;
const SHAPE_10 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  required: 'boolean',
  'default|null': 'any',
  'allowed_values|null': ['any'],
} as const;
const SHAPE_11 = {
  name: 'string',
  datamap_id: 'string',
  is_published: 'boolean',
  columns: [SHAPE_9],
  parameters: [SHAPE_10],
} as const;
const SHAPE_12 = {
  id: 'string',
  title: 'string',
  'description|null': 'string',
  owner: 'string',
  version: 'number',
  queries: [SHAPE_11],
  tags: ['string'],
  domains: ['string'],
  'rating|null': 'number',
  download_count: 'number',
  'last_downloaded_ts|null': 'number',
  is_granted: 'boolean',
  'access_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_13 = { value: 'string', count: 'number' } as const;
const SHAPE_14 = { tags: [SHAPE_13], domains: [SHAPE_13], owners: [SHAPE_13] } as const;
const SHAPE_15 = { total: 'number', data: [SHAPE_12], 'facets?': SHAPE_14 } as const;
const SHAPE_16 = { kind: 'string', name: 'string', 'expires_ts?|null': 'number' } as const;
const SHAPE_17 = { grants: [SHAPE_16] } as const;
const SHAPE_18 = {
  request_id: 'string',
  item_id: 'string',
  user: 'string',
  reason: 'string',
  state: 'string',
  created_ts: 'number',
  'decided_ts|null': 'number',
  'decided_by|null': 'string',
  'expires_ts|null': 'number',
  'note|null': 'string',
} as const;
const SHAPE_19 = { data: [SHAPE_18] } as const;
const SHAPE_20 = {
  request_id: 'string',
  item_id: 'string',
  user: 'string',
  reason: 'string',
  state: 'string',
  created_ts: 'number',
  'decided_ts|null': 'number',
  'decided_by|null': 'string',
  'expires_ts|null': 'number',
  'note|null': 'string',
  item_title: 'string',
  item_owner: 'string',
} as const;
const SHAPE_21 = { total: 'number', data: [SHAPE_20] } as const;
const SHAPE_22 = { url: 'string', query_id: 'string', expires_in: 'number' } as const;
const SHAPE_23 = {
  query_id: 'string',
  sql: 'string',
  'sql_truncated?': 'boolean',
  state: 'string',
  started_ts: 'number',
  rows: 'number',
  bytes: 'number',
} as const;
const SHAPE_24 = { data: [SHAPE_23] } as const;
const SHAPE_25 = {
  query_id: 'string',
  kind: 'string',
  'sql|null': 'string',
  'item_id|null': 'string',
  'datamap_id|null': 'string',
  'parameters|null': 'object',
  state: 'string',
  rows: 'number',
  limited: 'boolean',
  bytes: 'number',
  started_ts: 'number',
  'ended_ts|null': 'number',
  'error|null': SHAPE_7,
} as const;
const SHAPE_26 = { data: [SHAPE_25], 'next_page_token?': 'token' } as const;
const SHAPE_27 = {
  id: 'string',
  opened_by: 'string',
  'issuer|null': 'string',
  'address|null': 'string',
  'user_agent|null': 'string',
  created_ts: 'number',
  last_used_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_28 = { data: [SHAPE_27], 'next_page_token?': 'token' } as const;
const SHAPE_29 = { ended_count: 'number' } as const;
const SHAPE_30 = { keys: ['object'] } as const;
const SHAPE_31 = {
  id_token: 'token',
  access_token: 'token',
  refresh_token: 'token',
  expires_in: 'number',
  token_type: 'string',
} as const;
const SHAPE_32 = { access_token: 'token', token_type: 'string', expires_in: 'number' } as const;
const SHAPE_33 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_34 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_33],
} as const;
const SHAPE_35 = {
  metadata_results: [SHAPE_34],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_36 = {
  import_id: 'string',
  state: 'string',
  format: 'string',
  dry_run: 'boolean',
  requested_by: 'string',
  requested_ts: 'number',
  'started_ts|null': 'number',
  'ended_ts|null': 'number',
  attempts: 'number',
  progress: 'number',
  total_count: 'number',
  processed_count: 'number',
  success_count: 'number',
  failure_count: 'number',
  changed_count: 'number',
  'error|null': SHAPE_7,
} as const;
const SHAPE_37 = { run_id: 'string', state: 'string' } as const;
const SHAPE_38 = {
  run_id: 'string',
  state: 'string',
  reason: 'string',
  'requested_by|null': 'string',
  requested_ts: 'number',
  'started_ts|null': 'number',
  'ended_ts|null': 'number',
  attempts: 'number',
  tables: 'number',
  columns: 'number',
  tables_changed: 'number',
  tables_absent: 'number',
  names_skipped: 'number',
  'error|null': SHAPE_7,
} as const;
const SHAPE_39 = { data: [SHAPE_38] } as const;
const SHAPE_40 = { name: 'string', table_count: 'number' } as const;
const SHAPE_41 = {
  path: 'string',
  state: 'string',
  'view|null': 'string',
  'rows|null': 'number',
  'columns|null': 'number',
  bytes: 'number',
  modified_ts: 'number',
  'format|null': 'string',
  'compression|null': 'string',
  'separator|null': 'string',
  'header|null': 'boolean',
  'encoding|null': 'string',
  'problem|null': 'string',
} as const;
const SHAPE_42 = {
  data: [SHAPE_40],
  'next_page_token?': 'token',
  files: [SHAPE_41],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_43 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_44 = { data: [SHAPE_43], 'next_page_token?': 'token' } as const;
const SHAPE_45 = { data: [SHAPE_40], 'next_page_token?': 'token' } as const;
const SHAPE_46 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_47 = { data: [SHAPE_46], 'next_page_token?': 'token' } as const;
const SHAPE_48 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_49 = {
  id: 'string',
  catalog: 'string',
  schema: 'string',
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
  domains: ['string'],
  updated_ts: 'number',
  columns: [SHAPE_48],
} as const;
const SHAPE_50 = {
  timestamp: 'number',
  user: 'string',
  action: 'string',
  target: 'string',
  metadata: 'object',
  id: 'string',
  'request_id|null': 'string',
  'query_id|null': 'string',
  'session_id|null': 'string',
  'address|null': 'string',
  'user_agent|null': 'string',
} as const;
const SHAPE_51 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_50],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_52 = { name: 'string', records: 'number' } as const;
const SHAPE_53 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_52],
} as const;
const SHAPE_54 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_55 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_56 = { data: [SHAPE_54], keys: [SHAPE_55] } as const;
const SHAPE_57 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_58 = { total: 'number', data: [SHAPE_57] } as const;
const SHAPE_59 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_60 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_61 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_62 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_63 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_60,
  priority: 'string',
  config: SHAPE_61,
  advanced_mode: SHAPE_62,
  parameters: [SHAPE_10],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_59],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_64 = {
  id: 'string',
  type: 'string',
  associated_id: 'string',
  user_id: 'string',
  'is_favourite|null': 'boolean',
  'rating|null': 'number',
  'vote|null': 'string',
  viewed: 'number',
  'marketplace|null': 'any',
  'created_timestamp|null': 'number',
  'last_updated_timestamp|null': 'number',
  last_viewed_timestamp: 'number',
} as const;
const SHAPE_65 = {
  id: 'string',
  score: 'number',
  'remarks|null': 'string',
  'description|null': 'string',
  source_id: 'string',
  source_name: 'string',
  created_ts: 'number',
  updated_ts: 'number',
  type: 'string',
  database_name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema: 'string',
  catalog: 'string',
  field_count: 'number',
  tags: ['string'],
  fields: [SHAPE_59],
  average_rating: 'number',
  favourite_count: 'number',
  tag_count: 'number',
  answer_count: 'number',
  query_count: 'number',
  comment_count: 'number',
  view_count: 'number',
  upvote_count: 'number',
  downvote_count: 'number',
  topic_ids: ['string'],
  'pcode_ids|null': ['string'],
  score_breakdown: ['any'],
  score_breakdown_details: ['any'],
  recommendations: ['any'],
  'reads|null': ['string'],
  datamap: SHAPE_63,
  user_activity: SHAPE_64,
} as const;
const SHAPE_66 = { total: 'number', max_supported_records: 'number', data: [SHAPE_65] } as const;
const SHAPE_67 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_68 = { total: 'number', data: [SHAPE_67] } as const;
const SHAPE_69 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_70 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  'invitation|null': SHAPE_69,
} as const;
const SHAPE_71 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_72 = { data: [SHAPE_71] } as const;
const SHAPE_73 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_74 = { data: [SHAPE_73], 'next_page_token?': 'token' } as const;
const SHAPE_75 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_76 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_77 = { own: SHAPE_75, operator: SHAPE_76, effective: SHAPE_76 } as const;
const SHAPE_78 = { metadata_reads: 'string' } as const;
const SHAPE_79 = {
  secret_id: 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_80 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_79],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_81 = { total: 'number', data: [SHAPE_80] } as const;
const SHAPE_82 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_79],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_83 = { secret_id: 'string', client_secret: 'string' } as const;
const SHAPE_84 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_85 = { total: 'number', data: [SHAPE_84] } as const;
const SHAPE_86 = { value: 'string', roles: ['string'] } as const;
const SHAPE_87 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_86],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_88 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_89 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_69,
  'client_secret|null': 'string',
} as const;
const SHAPE_90 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_89],
} as const;
const SHAPE_91 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_92 = { data: [SHAPE_91] } as const;
const SHAPE_93 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_69,
} as const;

/** Shapes of the answers of the operations that return JSON. The name of one that may return nothing ends with `?`. */
export const ANSWER_SHAPES = {
  root: SHAPE_0,
  health: SHAPE_0,
  live: SHAPE_0,
  ready: SHAPE_1,
  getMe: SHAPE_4,
  listTenantQueries: SHAPE_6,
  cancelTenantQuery: SHAPE_8,
  listMarketplace: SHAPE_15,
  createMarketplaceItem: SHAPE_12,
  getMarketplaceItem: SHAPE_12,
  updateMarketplaceItem: SHAPE_12,
  getMarketplaceGrants: SHAPE_17,
  putMarketplaceGrants: SHAPE_17,
  requestMarketplaceAccess: SHAPE_18,
  listMarketplaceAccess: SHAPE_19,
  listAccessRequests: SHAPE_21,
  approveMarketplaceAccess: SHAPE_18,
  refuseMarketplaceAccess: SHAPE_18,
  createTicket: SHAPE_22,
  listQueries: SHAPE_24,
  listQueryHistory: SHAPE_26,
  getQuery: SHAPE_8,
  cancelQuery: SHAPE_8,
  listOwnSessions: SHAPE_28,
  endOtherSessions: SHAPE_29,
  jwks: SHAPE_30,
  login: SHAPE_31,
  'sessionTokens?': SHAPE_31,
  refresh: SHAPE_31,
  clientCredentials: SHAPE_32,
  importMetadata: SHAPE_35,
  startMetadataImport: SHAPE_36,
  readMetadataImport: SHAPE_36,
  cancelMetadataImport: SHAPE_36,
  startHarvest: SHAPE_37,
  listHarvests: SHAPE_39,
  listCatalogFiles: SHAPE_42,
  listCatalogs: SHAPE_44,
  listCatalogSchemas: SHAPE_45,
  listCatalogTables: SHAPE_47,
  getCatalogTable: SHAPE_49,
  searchAuditLogs: SHAPE_51,
  nextAuditPage: SHAPE_51,
  summarizeAuditLogs: SHAPE_53,
  listAuditCheckpoints: SHAPE_56,
  listDomains: SHAPE_58,
  createDomain: SHAPE_57,
  getDomain: SHAPE_57,
  updateDomain: SHAPE_57,
  searchDatamaps: SHAPE_66,
  createDatamap: SHAPE_65,
  getDatamap: SHAPE_65,
  updateDatamap: SHAPE_65,
  publishDatamap: SHAPE_65,
  unpublishDatamap: SHAPE_65,
  archiveDatamap: SHAPE_65,
  setDatamapActivity: SHAPE_65,
  listUsers: SHAPE_68,
  createUser: SHAPE_70,
  getUser: SHAPE_67,
  updateUser: SHAPE_67,
  resetPassword: SHAPE_70,
  linkIdentity: SHAPE_67,
  listRoles: SHAPE_72,
  createRole: SHAPE_71,
  getRole: SHAPE_71,
  updateRole: SHAPE_71,
  listSessions: SHAPE_74,
  getLimits: SHAPE_77,
  putLimits: SHAPE_77,
  getAuditSettings: SHAPE_78,
  putAuditSettings: SHAPE_78,
  listServiceAccounts: SHAPE_81,
  createServiceAccount: SHAPE_82,
  getServiceAccount: SHAPE_80,
  updateServiceAccount: SHAPE_80,
  addClientSecret: SHAPE_83,
  listGrants: SHAPE_85,
  createGrant: SHAPE_84,
  getGrant: SHAPE_84,
  updateGrant: SHAPE_84,
  getIdentityProvider: SHAPE_87,
  putIdentityProvider: SHAPE_87,
  testIdentityProvider: SHAPE_88,
  applyConfiguration: SHAPE_90,
  listTenants: SHAPE_92,
  createTenant: SHAPE_93,
  getTenant: SHAPE_91,
  updateTenant: SHAPE_91,
  inviteAdmin: SHAPE_93,
  suspendTenant: SHAPE_91,
  resumeTenant: SHAPE_91,
  removeTenant: SHAPE_91,
} as const;
