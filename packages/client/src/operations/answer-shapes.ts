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
  resource: 'string',
  'authorization_servers?': ['string'],
  scopes_supported: ['string'],
  bearer_methods_supported: ['string'],
} as const;
const SHAPE_6 = {
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
const SHAPE_7 = { data: [SHAPE_6] } as const;
const SHAPE_8 = { code: 'string', message: 'string' } as const;
const SHAPE_9 = {
  query_id: 'string',
  state: 'string',
  rows: 'number',
  bytes: 'number',
  'sha256|null': 'string',
  limited: 'boolean',
  'at_least?': 'boolean',
  started_ts: 'number',
  'ended_ts|null': 'number',
  'error|null': SHAPE_8,
} as const;
const SHAPE_10 = { name: 'string', type: 'string' } as const;
const SHAPE_11 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  required: 'boolean',
  'default|null': 'any',
  'allowed_values|null': ['any'],
} as const;
const SHAPE_12 = {
  name: 'string',
  datamap_id: 'string',
  is_published: 'boolean',
  columns: [SHAPE_10],
  parameters: [SHAPE_11],
} as const;
const SHAPE_13 = {
  id: 'string',
  title: 'string',
  'description|null': 'string',
  owner: 'string',
  version: 'number',
  queries: [SHAPE_12],
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
const SHAPE_14 = { value: 'string', count: 'number' } as const;
const SHAPE_15 = { tags: [SHAPE_14], domains: [SHAPE_14], owners: [SHAPE_14] } as const;
const SHAPE_16 = { total: 'number', data: [SHAPE_13], 'facets?': SHAPE_15 } as const;
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
  'error|null': SHAPE_8,
} as const;
const SHAPE_27 = { data: [SHAPE_26], 'next_page_token?': 'token' } as const;
const SHAPE_28 = {
  id: 'string',
  opened_by: 'string',
  'client|null': 'string',
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
const SHAPE_33 = {
  issuer: 'string',
  authorization_endpoint: 'string',
  token_endpoint: 'string',
  device_authorization_endpoint: 'string',
  revocation_endpoint: 'string',
  jwks_uri: 'string',
  scopes_supported: ['string'],
  response_types_supported: ['string'],
  response_modes_supported: ['string'],
  grant_types_supported: ['string'],
  token_endpoint_auth_methods_supported: ['string'],
  revocation_endpoint_auth_methods_supported: ['string'],
  code_challenge_methods_supported: ['string'],
  authorization_response_iss_parameter_supported: 'boolean',
  ui_locales_supported: ['string'],
} as const;
const SHAPE_34 = {
  access_token: 'token',
  token_type: 'string',
  expires_in: 'number',
  'refresh_token?': 'token',
  'scope?': 'string',
} as const;
const SHAPE_35 = {} as const;
const SHAPE_36 = {
  device_code: 'string',
  user_code: 'string',
  verification_uri: 'string',
  verification_uri_complete: 'string',
  expires_in: 'number',
  interval: 'number',
} as const;
const SHAPE_37 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_38 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_37],
} as const;
const SHAPE_39 = {
  metadata_results: [SHAPE_38],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_40 = {
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
  'error|null': SHAPE_8,
} as const;
const SHAPE_41 = { run_id: 'string', state: 'string' } as const;
const SHAPE_42 = {
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
  'error|null': SHAPE_8,
} as const;
const SHAPE_43 = { data: [SHAPE_42] } as const;
const SHAPE_44 = { name: 'string', table_count: 'number' } as const;
const SHAPE_45 = {
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
const SHAPE_46 = {
  data: [SHAPE_44],
  'next_page_token?': 'token',
  files: [SHAPE_45],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_47 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_48 = { data: [SHAPE_47], 'next_page_token?': 'token' } as const;
const SHAPE_49 = { data: [SHAPE_44], 'next_page_token?': 'token' } as const;
const SHAPE_50 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_51 = { data: [SHAPE_50], 'next_page_token?': 'token' } as const;
const SHAPE_52 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_53 = {
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
  columns: [SHAPE_52],
} as const;
const SHAPE_54 = {
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
const SHAPE_55 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_54],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_56 = { name: 'string', records: 'number' } as const;
const SHAPE_57 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_56],
} as const;
const SHAPE_58 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_59 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_60 = { data: [SHAPE_58], keys: [SHAPE_59] } as const;
const SHAPE_61 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_62 = { total: 'number', data: [SHAPE_61] } as const;
const SHAPE_63 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_64 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_65 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_66 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_67 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_64,
  priority: 'string',
  config: SHAPE_65,
  advanced_mode: SHAPE_66,
  parameters: [SHAPE_11],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_63],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_68 = {
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
const SHAPE_69 = {
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
  fields: [SHAPE_63],
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
  datamap: SHAPE_67,
  user_activity: SHAPE_68,
} as const;
const SHAPE_70 = { total: 'number', max_supported_records: 'number', data: [SHAPE_69] } as const;
const SHAPE_71 = {
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
const SHAPE_72 = { total: 'number', data: [SHAPE_71] } as const;
const SHAPE_73 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_74 = {
  id: 'string',
  email: 'string',
  roles: ['string'],
  disabled: 'boolean',
  has_password: 'boolean',
  'invitation_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  'invitation|null': SHAPE_73,
} as const;
const SHAPE_75 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_76 = { data: [SHAPE_75] } as const;
const SHAPE_77 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_78 = { data: [SHAPE_77], 'next_page_token?': 'token' } as const;
const SHAPE_79 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_80 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_81 = { own: SHAPE_79, operator: SHAPE_80, effective: SHAPE_80 } as const;
const SHAPE_82 = {
  secret_id: 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_83 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_82],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_84 = { total: 'number', data: [SHAPE_83] } as const;
const SHAPE_85 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_82],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_86 = { secret_id: 'string', client_secret: 'string' } as const;
const SHAPE_87 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_88 = { total: 'number', data: [SHAPE_87] } as const;
const SHAPE_89 = { value: 'string', roles: ['string'] } as const;
const SHAPE_90 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_89],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_91 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_92 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_73,
  'client_secret|null': 'string',
} as const;
const SHAPE_93 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_92],
} as const;
const SHAPE_94 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_95 = { data: [SHAPE_94] } as const;
const SHAPE_96 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_73,
} as const;

/** Shapes of the answers of the operations that return JSON. The name of one that may return nothing ends with `?`. */
export const ANSWER_SHAPES = {
  root: SHAPE_0,
  health: SHAPE_0,
  live: SHAPE_0,
  ready: SHAPE_1,
  getMe: SHAPE_4,
  protectedResourceMetadata: SHAPE_5,
  listTenantQueries: SHAPE_7,
  cancelTenantQuery: SHAPE_9,
  listMarketplace: SHAPE_16,
  createMarketplaceItem: SHAPE_13,
  getMarketplaceItem: SHAPE_13,
  updateMarketplaceItem: SHAPE_13,
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
  getQuery: SHAPE_9,
  cancelQuery: SHAPE_9,
  listOwnSessions: SHAPE_29,
  endOtherSessions: SHAPE_30,
  jwks: SHAPE_31,
  login: SHAPE_32,
  'sessionTokens?': SHAPE_32,
  refresh: SHAPE_32,
  authorizationServerMetadata: SHAPE_33,
  requestToken: SHAPE_34,
  revokeToken: SHAPE_35,
  authorizeDevice: SHAPE_36,
  importMetadata: SHAPE_39,
  startMetadataImport: SHAPE_40,
  readMetadataImport: SHAPE_40,
  cancelMetadataImport: SHAPE_40,
  startHarvest: SHAPE_41,
  listHarvests: SHAPE_43,
  listCatalogFiles: SHAPE_46,
  listCatalogs: SHAPE_48,
  listCatalogSchemas: SHAPE_49,
  listCatalogTables: SHAPE_51,
  getCatalogTable: SHAPE_53,
  searchAuditLogs: SHAPE_55,
  nextAuditPage: SHAPE_55,
  summarizeAuditLogs: SHAPE_57,
  listAuditCheckpoints: SHAPE_60,
  listDomains: SHAPE_62,
  createDomain: SHAPE_61,
  getDomain: SHAPE_61,
  updateDomain: SHAPE_61,
  searchDatamaps: SHAPE_70,
  createDatamap: SHAPE_69,
  getDatamap: SHAPE_69,
  updateDatamap: SHAPE_69,
  publishDatamap: SHAPE_69,
  unpublishDatamap: SHAPE_69,
  archiveDatamap: SHAPE_69,
  setDatamapActivity: SHAPE_69,
  listUsers: SHAPE_72,
  createUser: SHAPE_74,
  getUser: SHAPE_71,
  updateUser: SHAPE_71,
  resetPassword: SHAPE_74,
  linkIdentity: SHAPE_71,
  listRoles: SHAPE_76,
  createRole: SHAPE_75,
  getRole: SHAPE_75,
  updateRole: SHAPE_75,
  listSessions: SHAPE_78,
  getLimits: SHAPE_81,
  putLimits: SHAPE_81,
  listServiceAccounts: SHAPE_84,
  createServiceAccount: SHAPE_85,
  getServiceAccount: SHAPE_83,
  updateServiceAccount: SHAPE_83,
  addClientSecret: SHAPE_86,
  listGrants: SHAPE_88,
  createGrant: SHAPE_87,
  getGrant: SHAPE_87,
  updateGrant: SHAPE_87,
  getIdentityProvider: SHAPE_90,
  putIdentityProvider: SHAPE_90,
  testIdentityProvider: SHAPE_91,
  applyConfiguration: SHAPE_93,
  listTenants: SHAPE_95,
  createTenant: SHAPE_96,
  getTenant: SHAPE_94,
  updateTenant: SHAPE_94,
  inviteAdmin: SHAPE_96,
  suspendTenant: SHAPE_94,
  resumeTenant: SHAPE_94,
  removeTenant: SHAPE_94,
} as const;
