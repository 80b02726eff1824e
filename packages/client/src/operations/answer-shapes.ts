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
  domain_names: ['string'],
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
const SHAPE_14 = { value: 'string', count: 'number', name: 'string' } as const;
const SHAPE_15 = { tags: [SHAPE_13], domains: [SHAPE_14], owners: [SHAPE_13] } as const;
const SHAPE_16 = { total: 'number', data: [SHAPE_12], 'facets?': SHAPE_15 } as const;
const SHAPE_17 = { kind: 'string', name: 'string', 'expires_ts?|null': 'number' } as const;
const SHAPE_18 = { grants: [SHAPE_17] } as const;
const SHAPE_19 = {
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
const SHAPE_20 = { data: [SHAPE_19] } as const;
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
  item_title: 'string',
  item_owner: 'string',
} as const;
const SHAPE_22 = { total: 'number', data: [SHAPE_21] } as const;
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
const SHAPE_31 = { keys: ['object'] } as const;
const SHAPE_32 = {
  id_token: 'token',
  access_token: 'token',
  refresh_token: 'token',
  expires_in: 'number',
  token_type: 'string',
} as const;
const SHAPE_33 = { access_token: 'token', token_type: 'string', expires_in: 'number' } as const;
const SHAPE_34 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_35 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_34],
} as const;
const SHAPE_36 = {
  metadata_results: [SHAPE_35],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_37 = {
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
const SHAPE_38 = {
  version: 'number',
  changed_ts: 'number',
  changed_by: 'string',
  'request_id|null': 'string',
  changes: [SHAPE_34],
} as const;
const SHAPE_39 = { total: 'number', data: [SHAPE_38] } as const;
const SHAPE_40 = { tag: 'string', count: 'number' } as const;
const SHAPE_41 = { data: [SHAPE_40] } as const;
const SHAPE_42 = { catalog: 'string', schema: 'string', table_count: 'number', described_count: 'number' } as const;
const SHAPE_43 = { table_count: 'number', described_count: 'number', total: 'number', data: [SHAPE_42] } as const;
const SHAPE_44 = {
  id: 'string',
  catalog: 'string',
  schema: 'string',
  name: 'string',
  type: 'string',
  read_count: 'number',
  column_count: 'number',
  described_column_count: 'number',
} as const;
const SHAPE_45 = { total: 'number', data: [SHAPE_44] } as const;
const SHAPE_46 = { run_id: 'string', state: 'string' } as const;
const SHAPE_47 = {
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
const SHAPE_48 = { data: [SHAPE_47] } as const;
const SHAPE_49 = { name: 'string', table_count: 'number' } as const;
const SHAPE_50 = {
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
const SHAPE_51 = {
  data: [SHAPE_49],
  'next_page_token?': 'token',
  files: [SHAPE_50],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_52 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_53 = { data: [SHAPE_52], 'next_page_token?': 'token' } as const;
const SHAPE_54 = { data: [SHAPE_49], 'next_page_token?': 'token' } as const;
const SHAPE_55 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_56 = { data: [SHAPE_55], 'next_page_token?': 'token' } as const;
const SHAPE_57 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_58 = {
  id: 'string',
  catalog: 'string',
  schema: 'string',
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
  domains: ['string'],
  'owner|null': 'string',
  updated_ts: 'number',
  columns: [SHAPE_57],
} as const;
const SHAPE_59 = {
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
const SHAPE_60 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_59],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_61 = { name: 'string', records: 'number' } as const;
const SHAPE_62 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_61],
} as const;
const SHAPE_63 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_64 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_65 = { data: [SHAPE_63], keys: [SHAPE_64] } as const;
const SHAPE_66 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  'owner|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_67 = { total: 'number', data: [SHAPE_66] } as const;
const SHAPE_68 = {
  type: 'string',
  id: 'string',
  name: 'string',
  'catalog|null': 'string',
  'schema|null': 'string',
  'description|null': 'string',
} as const;
const SHAPE_69 = { total: 'number', data: [SHAPE_68] } as const;
const SHAPE_70 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_71 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_72 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_73 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_74 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_71,
  priority: 'string',
  config: SHAPE_72,
  advanced_mode: SHAPE_73,
  parameters: [SHAPE_10],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_70],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_75 = {
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
const SHAPE_76 = {
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
  fields: [SHAPE_70],
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
  datamap: SHAPE_74,
  user_activity: SHAPE_75,
} as const;
const SHAPE_77 = { total: 'number', max_supported_records: 'number', data: [SHAPE_76] } as const;
const SHAPE_78 = {
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
const SHAPE_79 = { total: 'number', data: [SHAPE_78] } as const;
const SHAPE_80 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_81 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  'invitation|null': SHAPE_80,
} as const;
const SHAPE_82 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_83 = { data: [SHAPE_82] } as const;
const SHAPE_84 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_85 = { data: [SHAPE_84], 'next_page_token?': 'token' } as const;
const SHAPE_86 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_87 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_88 = { own: SHAPE_86, operator: SHAPE_87, effective: SHAPE_87 } as const;
const SHAPE_89 = {
  secret_id: 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_90 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_89],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_91 = { total: 'number', data: [SHAPE_90] } as const;
const SHAPE_92 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_89],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_93 = { secret_id: 'string', client_secret: 'string' } as const;
const SHAPE_94 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_95 = { total: 'number', data: [SHAPE_94] } as const;
const SHAPE_96 = { value: 'string', roles: ['string'] } as const;
const SHAPE_97 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_96],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_98 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_99 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_80,
  'client_secret|null': 'string',
} as const;
const SHAPE_100 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_99],
} as const;
const SHAPE_101 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_102 = { data: [SHAPE_101] } as const;
const SHAPE_103 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_80,
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
  createMarketplaceItem: SHAPE_12,
  getMarketplaceItem: SHAPE_12,
  updateMarketplaceItem: SHAPE_12,
  getMarketplaceGrants: SHAPE_18,
  putMarketplaceGrants: SHAPE_18,
  requestMarketplaceAccess: SHAPE_19,
  listMarketplaceAccess: SHAPE_20,
  listAccessRequests: SHAPE_22,
  approveMarketplaceAccess: SHAPE_19,
  refuseMarketplaceAccess: SHAPE_19,
  createTicket: SHAPE_23,
  listQueries: SHAPE_25,
  listQueryHistory: SHAPE_27,
  getQuery: SHAPE_8,
  cancelQuery: SHAPE_8,
  listOwnSessions: SHAPE_29,
  endOtherSessions: SHAPE_30,
  jwks: SHAPE_31,
  login: SHAPE_32,
  'sessionTokens?': SHAPE_32,
  refresh: SHAPE_32,
  clientCredentials: SHAPE_33,
  importMetadata: SHAPE_36,
  startMetadataImport: SHAPE_37,
  readMetadataImport: SHAPE_37,
  cancelMetadataImport: SHAPE_37,
  listMetadataChanges: SHAPE_39,
  listTags: SHAPE_41,
  getMetadataCoverage: SHAPE_43,
  listUndescribedTables: SHAPE_45,
  startHarvest: SHAPE_46,
  listHarvests: SHAPE_48,
  listCatalogFiles: SHAPE_51,
  listCatalogs: SHAPE_53,
  listCatalogSchemas: SHAPE_54,
  listCatalogTables: SHAPE_56,
  getCatalogTable: SHAPE_58,
  searchAuditLogs: SHAPE_60,
  nextAuditPage: SHAPE_60,
  summarizeAuditLogs: SHAPE_62,
  listAuditCheckpoints: SHAPE_65,
  listDomains: SHAPE_67,
  createDomain: SHAPE_66,
  getDomain: SHAPE_66,
  listDomainObjects: SHAPE_69,
  updateDomain: SHAPE_66,
  searchDatamaps: SHAPE_77,
  createDatamap: SHAPE_76,
  getDatamap: SHAPE_76,
  updateDatamap: SHAPE_76,
  publishDatamap: SHAPE_76,
  unpublishDatamap: SHAPE_76,
  archiveDatamap: SHAPE_76,
  setDatamapActivity: SHAPE_76,
  listUsers: SHAPE_79,
  createUser: SHAPE_81,
  getUser: SHAPE_78,
  updateUser: SHAPE_78,
  resetPassword: SHAPE_81,
  linkIdentity: SHAPE_78,
  listRoles: SHAPE_83,
  createRole: SHAPE_82,
  getRole: SHAPE_82,
  updateRole: SHAPE_82,
  listSessions: SHAPE_85,
  getLimits: SHAPE_88,
  putLimits: SHAPE_88,
  listServiceAccounts: SHAPE_91,
  createServiceAccount: SHAPE_92,
  getServiceAccount: SHAPE_90,
  updateServiceAccount: SHAPE_90,
  addClientSecret: SHAPE_93,
  listGrants: SHAPE_95,
  createGrant: SHAPE_94,
  getGrant: SHAPE_94,
  updateGrant: SHAPE_94,
  getIdentityProvider: SHAPE_97,
  putIdentityProvider: SHAPE_97,
  testIdentityProvider: SHAPE_98,
  applyConfiguration: SHAPE_100,
  listTenants: SHAPE_102,
  createTenant: SHAPE_103,
  getTenant: SHAPE_101,
  updateTenant: SHAPE_101,
  inviteAdmin: SHAPE_103,
  suspendTenant: SHAPE_101,
  resumeTenant: SHAPE_101,
  removeTenant: SHAPE_101,
} as const;
