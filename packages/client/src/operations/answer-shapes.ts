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
const SHAPE_22 = { open: 'number', inbox: 'number', own: 'number', own_open: 'number' } as const;
const SHAPE_23 = { url: 'string', query_id: 'string', expires_in: 'number' } as const;
const SHAPE_24 = {
  query_id: 'string',
  sql: 'string',
  'sql_truncated?': 'boolean',
  state: 'string',
  started_ts: 'number',
  rows: 'number',
  bytes: 'number',
} as const;
const SHAPE_25 = { data: [SHAPE_24] } as const;
const SHAPE_26 = {
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
const SHAPE_27 = { data: [SHAPE_26], 'next_page_token?': 'token' } as const;
const SHAPE_28 = {
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
const SHAPE_29 = { data: [SHAPE_28], 'next_page_token?': 'token' } as const;
const SHAPE_30 = { ended_count: 'number' } as const;
const SHAPE_31 = {
  language: 'string',
  access_requests: 'boolean',
  access_decisions: 'boolean',
  grant_endings: 'boolean',
  email: 'string',
  is_mail_configured: 'boolean',
} as const;
const SHAPE_32 = { keys: ['object'] } as const;
const SHAPE_33 = {
  id_token: 'token',
  access_token: 'token',
  refresh_token: 'token',
  expires_in: 'number',
  token_type: 'string',
} as const;
const SHAPE_34 = { access_token: 'token', token_type: 'string', expires_in: 'number' } as const;
const SHAPE_35 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_36 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_35],
} as const;
const SHAPE_37 = {
  metadata_results: [SHAPE_36],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_38 = {
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
const SHAPE_39 = { run_id: 'string', state: 'string' } as const;
const SHAPE_40 = {
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
const SHAPE_41 = { data: [SHAPE_40] } as const;
const SHAPE_42 = { name: 'string', table_count: 'number' } as const;
const SHAPE_43 = {
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
const SHAPE_44 = {
  data: [SHAPE_42],
  'next_page_token?': 'token',
  files: [SHAPE_43],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_45 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_46 = { data: [SHAPE_45], 'next_page_token?': 'token' } as const;
const SHAPE_47 = { data: [SHAPE_42], 'next_page_token?': 'token' } as const;
const SHAPE_48 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_49 = { data: [SHAPE_48], 'next_page_token?': 'token' } as const;
const SHAPE_50 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_51 = {
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
  columns: [SHAPE_50],
} as const;
const SHAPE_52 = {
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
const SHAPE_53 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_52],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_54 = { name: 'string', records: 'number' } as const;
const SHAPE_55 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_54],
} as const;
const SHAPE_56 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_57 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_58 = { data: [SHAPE_56], keys: [SHAPE_57] } as const;
const SHAPE_59 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_60 = { total: 'number', data: [SHAPE_59] } as const;
const SHAPE_61 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_62 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_63 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_64 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_65 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_62,
  priority: 'string',
  config: SHAPE_63,
  advanced_mode: SHAPE_64,
  parameters: [SHAPE_10],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_61],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_66 = {
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
const SHAPE_67 = {
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
  fields: [SHAPE_61],
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
  datamap: SHAPE_65,
  user_activity: SHAPE_66,
} as const;
const SHAPE_68 = { total: 'number', max_supported_records: 'number', data: [SHAPE_67] } as const;
const SHAPE_69 = {
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
const SHAPE_70 = { total: 'number', data: [SHAPE_69] } as const;
const SHAPE_71 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_72 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  'invitation|null': SHAPE_71,
} as const;
const SHAPE_73 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_74 = { data: [SHAPE_73] } as const;
const SHAPE_75 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_76 = { data: [SHAPE_75], 'next_page_token?': 'token' } as const;
const SHAPE_77 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_78 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_79 = { own: SHAPE_77, operator: SHAPE_78, effective: SHAPE_78 } as const;
const SHAPE_80 = {
  secret_id: 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_81 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_80],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_82 = { total: 'number', data: [SHAPE_81] } as const;
const SHAPE_83 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_80],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_84 = { secret_id: 'string', client_secret: 'string' } as const;
const SHAPE_85 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_86 = { total: 'number', data: [SHAPE_85] } as const;
const SHAPE_87 = { value: 'string', roles: ['string'] } as const;
const SHAPE_88 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_87],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_89 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_90 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_71,
  'client_secret|null': 'string',
} as const;
const SHAPE_91 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_90],
} as const;
const SHAPE_92 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_93 = { data: [SHAPE_92] } as const;
const SHAPE_94 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_71,
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
  countAccessRequests: SHAPE_22,
  approveMarketplaceAccess: SHAPE_18,
  refuseMarketplaceAccess: SHAPE_18,
  createTicket: SHAPE_23,
  listQueries: SHAPE_25,
  listQueryHistory: SHAPE_27,
  getQuery: SHAPE_8,
  cancelQuery: SHAPE_8,
  listOwnSessions: SHAPE_29,
  endOtherSessions: SHAPE_30,
  getNotificationSettings: SHAPE_31,
  putNotificationSettings: SHAPE_31,
  jwks: SHAPE_32,
  login: SHAPE_33,
  'sessionTokens?': SHAPE_33,
  refresh: SHAPE_33,
  clientCredentials: SHAPE_34,
  importMetadata: SHAPE_37,
  startMetadataImport: SHAPE_38,
  readMetadataImport: SHAPE_38,
  cancelMetadataImport: SHAPE_38,
  startHarvest: SHAPE_39,
  listHarvests: SHAPE_41,
  listCatalogFiles: SHAPE_44,
  listCatalogs: SHAPE_46,
  listCatalogSchemas: SHAPE_47,
  listCatalogTables: SHAPE_49,
  getCatalogTable: SHAPE_51,
  searchAuditLogs: SHAPE_53,
  nextAuditPage: SHAPE_53,
  summarizeAuditLogs: SHAPE_55,
  listAuditCheckpoints: SHAPE_58,
  listDomains: SHAPE_60,
  createDomain: SHAPE_59,
  getDomain: SHAPE_59,
  updateDomain: SHAPE_59,
  searchDatamaps: SHAPE_68,
  createDatamap: SHAPE_67,
  getDatamap: SHAPE_67,
  updateDatamap: SHAPE_67,
  publishDatamap: SHAPE_67,
  unpublishDatamap: SHAPE_67,
  archiveDatamap: SHAPE_67,
  setDatamapActivity: SHAPE_67,
  listUsers: SHAPE_70,
  createUser: SHAPE_72,
  getUser: SHAPE_69,
  updateUser: SHAPE_69,
  resetPassword: SHAPE_72,
  linkIdentity: SHAPE_69,
  listRoles: SHAPE_74,
  createRole: SHAPE_73,
  getRole: SHAPE_73,
  updateRole: SHAPE_73,
  listSessions: SHAPE_76,
  getLimits: SHAPE_79,
  putLimits: SHAPE_79,
  listServiceAccounts: SHAPE_82,
  createServiceAccount: SHAPE_83,
  getServiceAccount: SHAPE_81,
  updateServiceAccount: SHAPE_81,
  addClientSecret: SHAPE_84,
  listGrants: SHAPE_86,
  createGrant: SHAPE_85,
  getGrant: SHAPE_85,
  updateGrant: SHAPE_85,
  getIdentityProvider: SHAPE_88,
  putIdentityProvider: SHAPE_88,
  testIdentityProvider: SHAPE_89,
  applyConfiguration: SHAPE_91,
  listTenants: SHAPE_93,
  createTenant: SHAPE_94,
  getTenant: SHAPE_92,
  updateTenant: SHAPE_92,
  inviteAdmin: SHAPE_94,
  suspendTenant: SHAPE_92,
  resumeTenant: SHAPE_92,
  removeTenant: SHAPE_92,
} as const;
