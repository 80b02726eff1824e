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
const SHAPE_10 = { name: 'string', type: 'string', 'description?|null': 'string' } as const;
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
const SHAPE_13 = { ended_ts: 'number', rows: 'number', bytes: 'number', format: 'string' } as const;
const SHAPE_14 = {
  id: 'string',
  title: 'string',
  'description|null': 'string',
  owner: 'string',
  version: 'number',
  queries: [SHAPE_12],
  tags: ['string'],
  domains: ['string'],
  domain_names: ['string'],
  'license|null': 'string',
  'terms_of_use|null': 'string',
  'rating|null': 'number',
  download_count: 'number',
  'last_downloaded_ts|null': 'number',
  'last_complete_download|null': SHAPE_13,
  is_granted: 'boolean',
  'access_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_15 = { value: 'string', count: 'number' } as const;
const SHAPE_16 = { value: 'string', count: 'number', name: 'string' } as const;
const SHAPE_17 = { tags: [SHAPE_15], domains: [SHAPE_16], owners: [SHAPE_15] } as const;
const SHAPE_18 = { total: 'number', data: [SHAPE_14], 'facets?': SHAPE_17 } as const;
const SHAPE_19 = {
  'tables_seen_ts|null': 'number',
  missing_table_count: 'number',
  'data_changed_ts|null': 'number',
} as const;
const SHAPE_20 = {
  id: 'string',
  title: 'string',
  'description|null': 'string',
  owner: 'string',
  version: 'number',
  queries: [SHAPE_12],
  tags: ['string'],
  domains: ['string'],
  domain_names: ['string'],
  'license|null': 'string',
  'terms_of_use|null': 'string',
  'rating|null': 'number',
  download_count: 'number',
  'last_downloaded_ts|null': 'number',
  'last_complete_download|null': SHAPE_13,
  is_granted: 'boolean',
  'access_expires_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
  freshness: SHAPE_19,
} as const;
const SHAPE_21 = { kind: 'string', name: 'string', 'expires_ts?|null': 'number' } as const;
const SHAPE_22 = { grants: [SHAPE_21] } as const;
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
} as const;
const SHAPE_24 = { data: [SHAPE_23] } as const;
const SHAPE_25 = {
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
const SHAPE_26 = { total: 'number', data: [SHAPE_25] } as const;
const SHAPE_27 = { open: 'number', inbox: 'number', own: 'number', own_open: 'number' } as const;
const SHAPE_28 = { url: 'string', query_id: 'string', expires_in: 'number' } as const;
const SHAPE_29 = {
  query_id: 'string',
  sql: 'string',
  'sql_truncated?': 'boolean',
  state: 'string',
  started_ts: 'number',
  rows: 'number',
  bytes: 'number',
} as const;
const SHAPE_30 = { data: [SHAPE_29] } as const;
const SHAPE_31 = {
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
const SHAPE_32 = { data: [SHAPE_31], 'next_page_token?': 'token' } as const;
const SHAPE_33 = { name: 'string', type: 'string' } as const;
const SHAPE_34 = { columns: [SHAPE_33], type: 'string' } as const;
const SHAPE_35 = {
  metadata: SHAPE_34,
  query_id: 'string',
  as_of: 'number',
  expires_ts: 'number',
  rows: 'number',
  limited: 'boolean',
  from: 'number',
  data: ['object'],
} as const;
const SHAPE_36 = {
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
const SHAPE_37 = { data: [SHAPE_36], 'next_page_token?': 'token' } as const;
const SHAPE_38 = { ended_count: 'number' } as const;
const SHAPE_39 = {
  language: 'string',
  access_requests: 'boolean',
  access_decisions: 'boolean',
  grant_endings: 'boolean',
  email: 'string',
  is_mail_configured: 'boolean',
} as const;
const SHAPE_40 = { keys: ['object'] } as const;
const SHAPE_41 = {
  id_token: 'token',
  access_token: 'token',
  refresh_token: 'token',
  expires_in: 'number',
  token_type: 'string',
} as const;
const SHAPE_42 = {
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
const SHAPE_43 = {
  access_token: 'token',
  token_type: 'string',
  expires_in: 'number',
  'refresh_token?': 'token',
  'scope?': 'string',
} as const;
const SHAPE_44 = {} as const;
const SHAPE_45 = {
  device_code: 'string',
  user_code: 'string',
  verification_uri: 'string',
  verification_uri_complete: 'string',
  expires_in: 'number',
  interval: 'number',
} as const;
const SHAPE_46 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_47 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_46],
} as const;
const SHAPE_48 = {
  metadata_results: [SHAPE_47],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_49 = {
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
const SHAPE_50 = {
  version: 'number',
  changed_ts: 'number',
  changed_by: 'string',
  'request_id|null': 'string',
  changes: [SHAPE_46],
} as const;
const SHAPE_51 = { total: 'number', data: [SHAPE_50] } as const;
const SHAPE_52 = { tag: 'string', count: 'number' } as const;
const SHAPE_53 = { data: [SHAPE_52] } as const;
const SHAPE_54 = { catalog: 'string', schema: 'string', table_count: 'number', described_count: 'number' } as const;
const SHAPE_55 = { table_count: 'number', described_count: 'number', total: 'number', data: [SHAPE_54] } as const;
const SHAPE_56 = {
  id: 'string',
  catalog: 'string',
  schema: 'string',
  name: 'string',
  type: 'string',
  read_count: 'number',
  column_count: 'number',
  described_column_count: 'number',
} as const;
const SHAPE_57 = { total: 'number', data: [SHAPE_56] } as const;
const SHAPE_58 = { run_id: 'string', state: 'string' } as const;
const SHAPE_59 = {
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
const SHAPE_60 = { data: [SHAPE_59] } as const;
const SHAPE_61 = { name: 'string', table_count: 'number' } as const;
const SHAPE_62 = {
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
const SHAPE_63 = {
  data: [SHAPE_61],
  'next_page_token?': 'token',
  files: [SHAPE_62],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_64 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_65 = { data: [SHAPE_64], 'next_page_token?': 'token' } as const;
const SHAPE_66 = { data: [SHAPE_61], 'next_page_token?': 'token' } as const;
const SHAPE_67 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_68 = { data: [SHAPE_67], 'next_page_token?': 'token' } as const;
const SHAPE_69 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_70 = {
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
  columns: [SHAPE_69],
} as const;
const SHAPE_71 = {
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
const SHAPE_72 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_71],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_73 = { name: 'string', records: 'number' } as const;
const SHAPE_74 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_73],
} as const;
const SHAPE_75 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_76 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_77 = { data: [SHAPE_75], keys: [SHAPE_76] } as const;
const SHAPE_78 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  'owner|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_79 = { total: 'number', data: [SHAPE_78] } as const;
const SHAPE_80 = {
  type: 'string',
  id: 'string',
  name: 'string',
  'catalog|null': 'string',
  'schema|null': 'string',
  'description|null': 'string',
} as const;
const SHAPE_81 = { total: 'number', data: [SHAPE_80] } as const;
const SHAPE_82 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_83 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_84 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_85 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_86 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_83,
  priority: 'string',
  config: SHAPE_84,
  advanced_mode: SHAPE_85,
  parameters: [SHAPE_11],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_82],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_87 = {
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
const SHAPE_88 = {
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
  fields: [SHAPE_82],
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
  datamap: SHAPE_86,
  user_activity: SHAPE_87,
} as const;
const SHAPE_89 = { total: 'number', max_supported_records: 'number', data: [SHAPE_88] } as const;
const SHAPE_90 = {
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
const SHAPE_91 = { total: 'number', data: [SHAPE_90] } as const;
const SHAPE_92 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_93 = {
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
  'invitation|null': SHAPE_92,
} as const;
const SHAPE_94 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_95 = { data: [SHAPE_94] } as const;
const SHAPE_96 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_97 = { data: [SHAPE_96], 'next_page_token?': 'token' } as const;
const SHAPE_98 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_99 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_100 = { own: SHAPE_98, operator: SHAPE_99, effective: SHAPE_99 } as const;
const SHAPE_101 = { metadata_reads: 'string' } as const;
const SHAPE_102 = {
  secret_id: 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_103 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_102],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_104 = { total: 'number', data: [SHAPE_103] } as const;
const SHAPE_105 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  secrets: [SHAPE_102],
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_106 = { secret_id: 'string', client_secret: 'string' } as const;
const SHAPE_107 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_108 = { total: 'number', data: [SHAPE_107] } as const;
const SHAPE_109 = { value: 'string', roles: ['string'] } as const;
const SHAPE_110 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_109],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_111 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_112 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_92,
  'client_secret|null': 'string',
} as const;
const SHAPE_113 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_112],
} as const;
const SHAPE_114 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_115 = { data: [SHAPE_114] } as const;
const SHAPE_116 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_92,
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
  listMarketplace: SHAPE_18,
  createMarketplaceItem: SHAPE_14,
  getMarketplaceItem: SHAPE_20,
  updateMarketplaceItem: SHAPE_14,
  getMarketplaceGrants: SHAPE_22,
  putMarketplaceGrants: SHAPE_22,
  requestMarketplaceAccess: SHAPE_23,
  listMarketplaceAccess: SHAPE_24,
  listAccessRequests: SHAPE_26,
  countAccessRequests: SHAPE_27,
  approveMarketplaceAccess: SHAPE_23,
  refuseMarketplaceAccess: SHAPE_23,
  createTicket: SHAPE_28,
  listQueries: SHAPE_30,
  listQueryHistory: SHAPE_32,
  getQuery: SHAPE_9,
  readRows: SHAPE_35,
  cancelQuery: SHAPE_9,
  listOwnSessions: SHAPE_37,
  endOtherSessions: SHAPE_38,
  getNotificationSettings: SHAPE_39,
  putNotificationSettings: SHAPE_39,
  jwks: SHAPE_40,
  login: SHAPE_41,
  'sessionTokens?': SHAPE_41,
  refresh: SHAPE_41,
  authorizationServerMetadata: SHAPE_42,
  requestToken: SHAPE_43,
  revokeToken: SHAPE_44,
  authorizeDevice: SHAPE_45,
  importMetadata: SHAPE_48,
  startMetadataImport: SHAPE_49,
  readMetadataImport: SHAPE_49,
  cancelMetadataImport: SHAPE_49,
  listMetadataChanges: SHAPE_51,
  listTags: SHAPE_53,
  getMetadataCoverage: SHAPE_55,
  listUndescribedTables: SHAPE_57,
  startHarvest: SHAPE_58,
  listHarvests: SHAPE_60,
  listCatalogFiles: SHAPE_63,
  listCatalogs: SHAPE_65,
  listCatalogSchemas: SHAPE_66,
  listCatalogTables: SHAPE_68,
  getCatalogTable: SHAPE_70,
  searchAuditLogs: SHAPE_72,
  nextAuditPage: SHAPE_72,
  summarizeAuditLogs: SHAPE_74,
  listAuditCheckpoints: SHAPE_77,
  listDomains: SHAPE_79,
  createDomain: SHAPE_78,
  getDomain: SHAPE_78,
  listDomainObjects: SHAPE_81,
  updateDomain: SHAPE_78,
  searchDatamaps: SHAPE_89,
  createDatamap: SHAPE_88,
  getDatamap: SHAPE_88,
  updateDatamap: SHAPE_88,
  publishDatamap: SHAPE_88,
  unpublishDatamap: SHAPE_88,
  archiveDatamap: SHAPE_88,
  setDatamapActivity: SHAPE_88,
  listUsers: SHAPE_91,
  createUser: SHAPE_93,
  getUser: SHAPE_90,
  updateUser: SHAPE_90,
  resetPassword: SHAPE_93,
  linkIdentity: SHAPE_90,
  listRoles: SHAPE_95,
  createRole: SHAPE_94,
  getRole: SHAPE_94,
  updateRole: SHAPE_94,
  listSessions: SHAPE_97,
  getLimits: SHAPE_100,
  putLimits: SHAPE_100,
  getAuditSettings: SHAPE_101,
  putAuditSettings: SHAPE_101,
  listServiceAccounts: SHAPE_104,
  createServiceAccount: SHAPE_105,
  getServiceAccount: SHAPE_103,
  updateServiceAccount: SHAPE_103,
  addClientSecret: SHAPE_106,
  listGrants: SHAPE_108,
  createGrant: SHAPE_107,
  getGrant: SHAPE_107,
  updateGrant: SHAPE_107,
  getIdentityProvider: SHAPE_110,
  putIdentityProvider: SHAPE_110,
  testIdentityProvider: SHAPE_111,
  applyConfiguration: SHAPE_113,
  listTenants: SHAPE_115,
  createTenant: SHAPE_116,
  getTenant: SHAPE_114,
  updateTenant: SHAPE_114,
  inviteAdmin: SHAPE_116,
  suspendTenant: SHAPE_114,
  resumeTenant: SHAPE_114,
  removeTenant: SHAPE_114,
} as const;
