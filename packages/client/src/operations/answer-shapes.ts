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
const SHAPE_9 = { name: 'string', type: 'string', 'description?|null': 'string' } as const;
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
const SHAPE_12 = { ended_ts: 'number', rows: 'number', bytes: 'number', format: 'string' } as const;
const SHAPE_13 = {
  id: 'string',
  title: 'string',
  'description|null': 'string',
  owner: 'string',
  version: 'number',
  queries: [SHAPE_11],
  tags: ['string'],
  domains: ['string'],
  'license|null': 'string',
  'terms_of_use|null': 'string',
  'rating|null': 'number',
  download_count: 'number',
  'last_downloaded_ts|null': 'number',
  'last_complete_download|null': SHAPE_12,
  is_granted: 'boolean',
  'access_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_14 = { value: 'string', count: 'number' } as const;
const SHAPE_15 = { tags: [SHAPE_14], domains: [SHAPE_14], owners: [SHAPE_14] } as const;
const SHAPE_16 = { total: 'number', data: [SHAPE_13], 'facets?': SHAPE_15 } as const;
const SHAPE_17 = {
  'tables_seen_ts|null': 'number',
  missing_table_count: 'number',
  'data_changed_ts|null': 'number',
} as const;
const SHAPE_18 = {
  id: 'string',
  title: 'string',
  'description|null': 'string',
  owner: 'string',
  version: 'number',
  queries: [SHAPE_11],
  tags: ['string'],
  domains: ['string'],
  'license|null': 'string',
  'terms_of_use|null': 'string',
  'rating|null': 'number',
  download_count: 'number',
  'last_downloaded_ts|null': 'number',
  'last_complete_download|null': SHAPE_12,
  is_granted: 'boolean',
  'access_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
  freshness: SHAPE_17,
} as const;
const SHAPE_19 = { kind: 'string', name: 'string', 'expires_ts?|null': 'number' } as const;
const SHAPE_20 = { grants: [SHAPE_19] } as const;
const SHAPE_21 = {
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
const SHAPE_22 = { data: [SHAPE_21] } as const;
const SHAPE_23 = {
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
const SHAPE_24 = { total: 'number', data: [SHAPE_23] } as const;
const SHAPE_25 = { url: 'string', query_id: 'string', expires_in: 'number' } as const;
const SHAPE_26 = {
  query_id: 'string',
  sql: 'string',
  'sql_truncated?': 'boolean',
  state: 'string',
  started_ts: 'number',
  rows: 'number',
  bytes: 'number',
} as const;
const SHAPE_27 = { data: [SHAPE_26] } as const;
const SHAPE_28 = {
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
const SHAPE_29 = { data: [SHAPE_28], 'next_page_token?': 'token' } as const;
const SHAPE_30 = {
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
const SHAPE_31 = { data: [SHAPE_30], 'next_page_token?': 'token' } as const;
const SHAPE_32 = { ended_count: 'number' } as const;
const SHAPE_33 = { keys: ['object'] } as const;
const SHAPE_34 = {
  id_token: 'token',
  access_token: 'token',
  refresh_token: 'token',
  expires_in: 'number',
  token_type: 'string',
} as const;
const SHAPE_35 = { access_token: 'token', token_type: 'string', expires_in: 'number' } as const;
const SHAPE_36 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_37 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_36],
} as const;
const SHAPE_38 = {
  metadata_results: [SHAPE_37],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_39 = {
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
const SHAPE_40 = { run_id: 'string', state: 'string' } as const;
const SHAPE_41 = {
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
const SHAPE_42 = { data: [SHAPE_41] } as const;
const SHAPE_43 = { name: 'string', table_count: 'number' } as const;
const SHAPE_44 = {
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
const SHAPE_45 = {
  data: [SHAPE_43],
  'next_page_token?': 'token',
  files: [SHAPE_44],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_46 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_47 = { data: [SHAPE_46], 'next_page_token?': 'token' } as const;
const SHAPE_48 = { data: [SHAPE_43], 'next_page_token?': 'token' } as const;
const SHAPE_49 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_50 = { data: [SHAPE_49], 'next_page_token?': 'token' } as const;
const SHAPE_51 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_52 = {
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
  columns: [SHAPE_51],
} as const;
const SHAPE_53 = {
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
const SHAPE_54 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_53],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_55 = { name: 'string', records: 'number' } as const;
const SHAPE_56 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_55],
} as const;
const SHAPE_57 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_58 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_59 = { data: [SHAPE_57], keys: [SHAPE_58] } as const;
const SHAPE_60 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_61 = { total: 'number', data: [SHAPE_60] } as const;
const SHAPE_62 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_63 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_64 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_65 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_66 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_63,
  priority: 'string',
  config: SHAPE_64,
  advanced_mode: SHAPE_65,
  parameters: [SHAPE_10],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_62],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_67 = {
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
const SHAPE_68 = {
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
  fields: [SHAPE_62],
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
  datamap: SHAPE_66,
  user_activity: SHAPE_67,
} as const;
const SHAPE_69 = { total: 'number', max_supported_records: 'number', data: [SHAPE_68] } as const;
const SHAPE_70 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  'last_login_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_71 = { total: 'number', data: [SHAPE_70] } as const;
const SHAPE_72 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_73 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  'last_login_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  'invitation|null': SHAPE_72,
} as const;
const SHAPE_74 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_75 = { data: [SHAPE_74] } as const;
const SHAPE_76 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_77 = { data: [SHAPE_76], 'next_page_token?': 'token' } as const;
const SHAPE_78 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_79 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_80 = { own: SHAPE_78, operator: SHAPE_79, effective: SHAPE_79 } as const;
const SHAPE_81 = {
  secret_id: 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_82 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_81],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_83 = { total: 'number', data: [SHAPE_82] } as const;
const SHAPE_84 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_81],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_85 = { secret_id: 'string', client_secret: 'string' } as const;
const SHAPE_86 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_87 = { total: 'number', data: [SHAPE_86] } as const;
const SHAPE_88 = { value: 'string', roles: ['string'] } as const;
const SHAPE_89 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_88],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_90 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_91 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_72,
  'client_secret|null': 'string',
} as const;
const SHAPE_92 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_91],
} as const;
const SHAPE_93 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_94 = { data: [SHAPE_93] } as const;
const SHAPE_95 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_72,
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
  listMarketplace: SHAPE_16,
  createMarketplaceItem: SHAPE_13,
  getMarketplaceItem: SHAPE_18,
  updateMarketplaceItem: SHAPE_13,
  getMarketplaceGrants: SHAPE_20,
  putMarketplaceGrants: SHAPE_20,
  requestMarketplaceAccess: SHAPE_21,
  listMarketplaceAccess: SHAPE_22,
  listAccessRequests: SHAPE_24,
  approveMarketplaceAccess: SHAPE_21,
  refuseMarketplaceAccess: SHAPE_21,
  createTicket: SHAPE_25,
  listQueries: SHAPE_27,
  listQueryHistory: SHAPE_29,
  getQuery: SHAPE_8,
  cancelQuery: SHAPE_8,
  listOwnSessions: SHAPE_31,
  endOtherSessions: SHAPE_32,
  jwks: SHAPE_33,
  login: SHAPE_34,
  'sessionTokens?': SHAPE_34,
  refresh: SHAPE_34,
  clientCredentials: SHAPE_35,
  importMetadata: SHAPE_38,
  startMetadataImport: SHAPE_39,
  readMetadataImport: SHAPE_39,
  cancelMetadataImport: SHAPE_39,
  startHarvest: SHAPE_40,
  listHarvests: SHAPE_42,
  listCatalogFiles: SHAPE_45,
  listCatalogs: SHAPE_47,
  listCatalogSchemas: SHAPE_48,
  listCatalogTables: SHAPE_50,
  getCatalogTable: SHAPE_52,
  searchAuditLogs: SHAPE_54,
  nextAuditPage: SHAPE_54,
  summarizeAuditLogs: SHAPE_56,
  listAuditCheckpoints: SHAPE_59,
  listDomains: SHAPE_61,
  createDomain: SHAPE_60,
  getDomain: SHAPE_60,
  updateDomain: SHAPE_60,
  searchDatamaps: SHAPE_69,
  createDatamap: SHAPE_68,
  getDatamap: SHAPE_68,
  updateDatamap: SHAPE_68,
  publishDatamap: SHAPE_68,
  unpublishDatamap: SHAPE_68,
  archiveDatamap: SHAPE_68,
  setDatamapActivity: SHAPE_68,
  listUsers: SHAPE_71,
  createUser: SHAPE_73,
  getUser: SHAPE_70,
  updateUser: SHAPE_70,
  resetPassword: SHAPE_73,
  linkIdentity: SHAPE_70,
  listRoles: SHAPE_75,
  createRole: SHAPE_74,
  getRole: SHAPE_74,
  updateRole: SHAPE_74,
  listSessions: SHAPE_77,
  getLimits: SHAPE_80,
  putLimits: SHAPE_80,
  listServiceAccounts: SHAPE_83,
  createServiceAccount: SHAPE_84,
  getServiceAccount: SHAPE_82,
  updateServiceAccount: SHAPE_82,
  addClientSecret: SHAPE_85,
  listGrants: SHAPE_87,
  createGrant: SHAPE_86,
  getGrant: SHAPE_86,
  updateGrant: SHAPE_86,
  getIdentityProvider: SHAPE_89,
  putIdentityProvider: SHAPE_89,
  testIdentityProvider: SHAPE_90,
  applyConfiguration: SHAPE_92,
  listTenants: SHAPE_94,
  createTenant: SHAPE_95,
  getTenant: SHAPE_93,
  updateTenant: SHAPE_93,
  inviteAdmin: SHAPE_95,
  suspendTenant: SHAPE_93,
  resumeTenant: SHAPE_93,
  removeTenant: SHAPE_93,
} as const;
