// Written by `npm run docs:generate` from packages/contract.

const SHAPE_0 = { status: 'string', service: 'string' } as const;
const SHAPE_1 = { status: 'string', service: 'string', checks: 'object' } as const;
const SHAPE_2 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
  keep_time_ms: 'number',
  kept_bytes_max: 'number',
  'console_keep|null': 'string',
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
  'kept_until|null': 'number',
} as const;
const SHAPE_32 = { data: [SHAPE_31], 'next_page_token?': 'token' } as const;
const SHAPE_33 = { name: 'string', type: 'string' } as const;
const SHAPE_34 = { kind: 'string', name: 'string' } as const;
const SHAPE_35 = {
  query_id: 'string',
  'sql|null': 'string',
  columns: [SHAPE_33],
  rows: 'number',
  limited: 'boolean',
  bytes: 'number',
  time_zone: 'string',
  as_of: 'number',
  expires_ts: 'number',
  ran_by: 'string',
  is_own: 'boolean',
  'shares|null': [SHAPE_34],
  formats: ['string'],
} as const;
const SHAPE_36 = { shares: [SHAPE_34] } as const;
const SHAPE_37 = { columns: [SHAPE_33], type: 'string' } as const;
const SHAPE_38 = {
  metadata: SHAPE_37,
  query_id: 'string',
  as_of: 'number',
  expires_ts: 'number',
  rows: 'number',
  limited: 'boolean',
  from: 'number',
  data: ['object'],
} as const;
const SHAPE_39 = { 'name|null': 'string', 'system|null': 'string' } as const;
const SHAPE_40 = {
  id: 'string',
  opened_by: 'string',
  'client|null': 'string',
  'issuer|null': 'string',
  device: SHAPE_39,
  'address|null': 'string',
  'user_agent|null': 'string',
  created_ts: 'number',
  last_used_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_41 = { data: [SHAPE_40], 'next_page_token?': 'token' } as const;
const SHAPE_42 = { ended_count: 'number' } as const;
const SHAPE_43 = {
  id: 'string',
  client_id: 'string',
  name: 'string',
  'home_page|null': 'string',
  'scopes|null': ['string'],
  session_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
} as const;
const SHAPE_44 = { data: [SHAPE_43] } as const;
const SHAPE_45 = {
  language: 'string',
  access_requests: 'boolean',
  access_decisions: 'boolean',
  grant_endings: 'boolean',
  new_devices: 'boolean',
  email: 'string',
  is_mail_configured: 'boolean',
} as const;
const SHAPE_46 = { keys: ['object'] } as const;
const SHAPE_47 = {
  id_token: 'token',
  access_token: 'token',
  refresh_token: 'token',
  expires_in: 'number',
  token_type: 'string',
} as const;
const SHAPE_48 = { active: 'boolean' } as const;
const SHAPE_49 = {
  issuer: 'string',
  authorization_endpoint: 'string',
  token_endpoint: 'string',
  device_authorization_endpoint: 'string',
  revocation_endpoint: 'string',
  introspection_endpoint: 'string',
  jwks_uri: 'string',
  scopes_supported: ['string'],
  response_types_supported: ['string'],
  response_modes_supported: ['string'],
  grant_types_supported: ['string'],
  token_endpoint_auth_methods_supported: ['string'],
  token_endpoint_auth_signing_alg_values_supported: ['string'],
  revocation_endpoint_auth_methods_supported: ['string'],
  introspection_endpoint_auth_methods_supported: ['string'],
  introspection_endpoint_auth_signing_alg_values_supported: ['string'],
  code_challenge_methods_supported: ['string'],
  authorization_response_iss_parameter_supported: 'boolean',
  ui_locales_supported: ['string'],
  subject_types_supported: ['string'],
  id_token_signing_alg_values_supported: ['string'],
  claims_supported: ['string'],
  prompt_values_supported: ['string'],
  request_parameter_supported: 'boolean',
  request_uri_parameter_supported: 'boolean',
  client_id_metadata_document_supported: 'boolean',
} as const;
const SHAPE_50 = {
  access_token: 'token',
  token_type: 'string',
  expires_in: 'number',
  'refresh_token?': 'token',
  'id_token?': 'token',
  'scope?': 'string',
} as const;
const SHAPE_51 = {} as const;
const SHAPE_52 = {
  active: 'boolean',
  'token_use?': 'string',
  'token_type?': 'string',
  'scope?': 'string',
  'client_id?': 'string',
  'username?': 'string',
  'sub?': 'string',
  'iss?': 'string',
  'aud?|null': 'any',
  'iat?': 'number',
  'exp?': 'number',
  'jti?': 'string',
} as const;
const SHAPE_53 = {
  device_code: 'string',
  user_code: 'string',
  verification_uri: 'string',
  verification_uri_complete: 'string',
  expires_in: 'number',
  interval: 'number',
} as const;
const SHAPE_54 = { 'token?': 'string', 'nextUri?': 'string', 'error?': 'string' } as const;
const SHAPE_55 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_56 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_55],
} as const;
const SHAPE_57 = {
  metadata_results: [SHAPE_56],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_58 = {
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
const SHAPE_59 = {
  version: 'number',
  changed_ts: 'number',
  changed_by: 'string',
  'request_id|null': 'string',
  changes: [SHAPE_55],
} as const;
const SHAPE_60 = { total: 'number', data: [SHAPE_59] } as const;
const SHAPE_61 = { tag: 'string', count: 'number' } as const;
const SHAPE_62 = { data: [SHAPE_61] } as const;
const SHAPE_63 = { catalog: 'string', schema: 'string', table_count: 'number', described_count: 'number' } as const;
const SHAPE_64 = { table_count: 'number', described_count: 'number', total: 'number', data: [SHAPE_63] } as const;
const SHAPE_65 = {
  id: 'string',
  catalog: 'string',
  schema: 'string',
  name: 'string',
  type: 'string',
  read_count: 'number',
  column_count: 'number',
  described_column_count: 'number',
} as const;
const SHAPE_66 = { total: 'number', data: [SHAPE_65] } as const;
const SHAPE_67 = { run_id: 'string', state: 'string' } as const;
const SHAPE_68 = {
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
const SHAPE_69 = { data: [SHAPE_68] } as const;
const SHAPE_70 = { name: 'string', table_count: 'number' } as const;
const SHAPE_71 = {
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
const SHAPE_72 = {
  data: [SHAPE_70],
  'next_page_token?': 'token',
  files: [SHAPE_71],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_73 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_74 = { data: [SHAPE_73], 'next_page_token?': 'token' } as const;
const SHAPE_75 = { data: [SHAPE_70], 'next_page_token?': 'token' } as const;
const SHAPE_76 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_77 = { data: [SHAPE_76], 'next_page_token?': 'token' } as const;
const SHAPE_78 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_79 = {
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
  columns: [SHAPE_78],
} as const;
const SHAPE_80 = {
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
const SHAPE_81 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_80],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_82 = { name: 'string', records: 'number' } as const;
const SHAPE_83 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_82],
} as const;
const SHAPE_84 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_85 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_86 = { data: [SHAPE_84], keys: [SHAPE_85] } as const;
const SHAPE_87 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  'owner|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_88 = { total: 'number', data: [SHAPE_87] } as const;
const SHAPE_89 = {
  type: 'string',
  id: 'string',
  name: 'string',
  'catalog|null': 'string',
  'schema|null': 'string',
  'description|null': 'string',
} as const;
const SHAPE_90 = { total: 'number', data: [SHAPE_89] } as const;
const SHAPE_91 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_92 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_93 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_94 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_95 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_92,
  priority: 'string',
  config: SHAPE_93,
  advanced_mode: SHAPE_94,
  parameters: [SHAPE_11],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_91],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_96 = {
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
const SHAPE_97 = {
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
  fields: [SHAPE_91],
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
  datamap: SHAPE_95,
  user_activity: SHAPE_96,
} as const;
const SHAPE_98 = { total: 'number', max_supported_records: 'number', data: [SHAPE_97] } as const;
const SHAPE_99 = {
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
const SHAPE_100 = { total: 'number', data: [SHAPE_99] } as const;
const SHAPE_101 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_102 = {
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
  'invitation|null': SHAPE_101,
} as const;
const SHAPE_103 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_104 = { data: [SHAPE_103] } as const;
const SHAPE_105 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  'client|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_106 = { data: [SHAPE_105], 'next_page_token?': 'token' } as const;
const SHAPE_107 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
  'keep_time_ms|null': 'number',
  'kept_bytes_max|null': 'number',
  'console_keep_ms|null': 'number',
} as const;
const SHAPE_108 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
  keep_time_ms: 'number',
  kept_bytes_max: 'number',
  console_keep_ms: 'number',
} as const;
const SHAPE_109 = { own: SHAPE_107, operator: SHAPE_108, effective: SHAPE_108 } as const;
const SHAPE_110 = { idle_minutes: 'number', absolute_hours: 'number' } as const;
const SHAPE_111 = { 'idle_minutes|null': 'number', 'absolute_hours|null': 'number', max: SHAPE_110 } as const;
const SHAPE_112 = { metadata_reads: 'string' } as const;
const SHAPE_113 = {
  secret_id: 'string',
  'label|null': 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'expires_ts|null': 'number',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_114 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  'allowed_networks|null': ['string'],
  'scopes|null': ['string'],
  'jwks|null': SHAPE_46,
  'jwks_uri|null': 'string',
  may_introspect: 'boolean',
  secrets: [SHAPE_113],
  'last_used_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_115 = { total: 'number', data: [SHAPE_114] } as const;
const SHAPE_116 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  'allowed_networks|null': ['string'],
  'scopes|null': ['string'],
  'jwks|null': SHAPE_46,
  'jwks_uri|null': 'string',
  may_introspect: 'boolean',
  secrets: [SHAPE_113],
  'last_used_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_117 = { data: [SHAPE_113] } as const;
const SHAPE_118 = {
  secret_id: 'string',
  'label|null': 'string',
  'expires_ts|null': 'number',
  client_secret: 'string',
} as const;
const SHAPE_119 = {
  id: 'string',
  client_id: 'string',
  name: 'string',
  type: 'string',
  redirect_uris: ['string'],
  'scopes|null': ['string'],
  'home_page|null': 'string',
  session_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_120 = { total: 'number', data: [SHAPE_119] } as const;
const SHAPE_121 = {
  id: 'string',
  client_id: 'string',
  name: 'string',
  type: 'string',
  redirect_uris: ['string'],
  'scopes|null': ['string'],
  'home_page|null': 'string',
  session_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  'client_secret|null': 'string',
} as const;
const SHAPE_122 = { client_metadata_documents: 'string' } as const;
const SHAPE_123 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_124 = { total: 'number', data: [SHAPE_123] } as const;
const SHAPE_125 = { value: 'string', roles: ['string'] } as const;
const SHAPE_126 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_125],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_127 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_128 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_101,
  'client_secret|null': 'string',
} as const;
const SHAPE_129 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_128],
} as const;
const SHAPE_130 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_131 = { data: [SHAPE_130] } as const;
const SHAPE_132 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_101,
} as const;
const SHAPE_133 = {
  kid: 'string',
  state: 'string',
  'published_ts|null': 'number',
  'signs_from_ts|null': 'number',
  'signs_until_ts|null': 'number',
  'expires_ts|null': 'number',
  'refused_from_ts|null': 'number',
} as const;
const SHAPE_134 = { data: [SHAPE_133] } as const;

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
  cancelQuery: SHAPE_9,
  getResult: SHAPE_35,
  shareResult: SHAPE_36,
  readRows: SHAPE_38,
  listOwnSessions: SHAPE_41,
  endOtherSessions: SHAPE_42,
  listOwnConsents: SHAPE_44,
  getNotificationSettings: SHAPE_45,
  putNotificationSettings: SHAPE_45,
  jwks: SHAPE_46,
  login: SHAPE_47,
  checkSession: SHAPE_48,
  'sessionTokens?': SHAPE_47,
  refresh: SHAPE_47,
  backchannelLogout: SHAPE_42,
  authorizationServerMetadata: SHAPE_49,
  openidConfiguration: SHAPE_49,
  requestToken: SHAPE_50,
  revokeToken: SHAPE_51,
  introspectToken: SHAPE_52,
  authorizeDevice: SHAPE_53,
  pollExternalLogin: SHAPE_54,
  importMetadata: SHAPE_57,
  startMetadataImport: SHAPE_58,
  readMetadataImport: SHAPE_58,
  cancelMetadataImport: SHAPE_58,
  listMetadataChanges: SHAPE_60,
  listTags: SHAPE_62,
  getMetadataCoverage: SHAPE_64,
  listUndescribedTables: SHAPE_66,
  startHarvest: SHAPE_67,
  listHarvests: SHAPE_69,
  listCatalogFiles: SHAPE_72,
  listCatalogs: SHAPE_74,
  listCatalogSchemas: SHAPE_75,
  listCatalogTables: SHAPE_77,
  getCatalogTable: SHAPE_79,
  searchAuditLogs: SHAPE_81,
  nextAuditPage: SHAPE_81,
  summarizeAuditLogs: SHAPE_83,
  listAuditCheckpoints: SHAPE_86,
  listDomains: SHAPE_88,
  createDomain: SHAPE_87,
  getDomain: SHAPE_87,
  listDomainObjects: SHAPE_90,
  updateDomain: SHAPE_87,
  searchDatamaps: SHAPE_98,
  createDatamap: SHAPE_97,
  getDatamap: SHAPE_97,
  updateDatamap: SHAPE_97,
  publishDatamap: SHAPE_97,
  unpublishDatamap: SHAPE_97,
  archiveDatamap: SHAPE_97,
  setDatamapActivity: SHAPE_97,
  listUsers: SHAPE_100,
  createUser: SHAPE_102,
  getUser: SHAPE_99,
  updateUser: SHAPE_99,
  resetPassword: SHAPE_102,
  linkIdentity: SHAPE_99,
  listRoles: SHAPE_104,
  createRole: SHAPE_103,
  getRole: SHAPE_103,
  updateRole: SHAPE_103,
  listSessions: SHAPE_106,
  endSessions: SHAPE_42,
  getLimits: SHAPE_109,
  putLimits: SHAPE_109,
  getSessionSettings: SHAPE_111,
  putSessionSettings: SHAPE_111,
  getAuditSettings: SHAPE_112,
  putAuditSettings: SHAPE_112,
  listServiceAccounts: SHAPE_115,
  createServiceAccount: SHAPE_116,
  getServiceAccount: SHAPE_114,
  updateServiceAccount: SHAPE_114,
  listClientSecrets: SHAPE_117,
  addClientSecret: SHAPE_118,
  listOAuthClients: SHAPE_120,
  createOAuthClient: SHAPE_121,
  getOAuthClient: SHAPE_119,
  updateOAuthClient: SHAPE_119,
  replaceOAuthClientSecret: SHAPE_121,
  getOAuthSettings: SHAPE_122,
  putOAuthSettings: SHAPE_122,
  listGrants: SHAPE_124,
  createGrant: SHAPE_123,
  getGrant: SHAPE_123,
  updateGrant: SHAPE_123,
  getIdentityProvider: SHAPE_126,
  putIdentityProvider: SHAPE_126,
  testIdentityProvider: SHAPE_127,
  applyConfiguration: SHAPE_129,
  listTenants: SHAPE_131,
  createTenant: SHAPE_132,
  getTenant: SHAPE_130,
  updateTenant: SHAPE_130,
  inviteAdmin: SHAPE_132,
  suspendTenant: SHAPE_130,
  resumeTenant: SHAPE_130,
  removeTenant: SHAPE_130,
  listKeys: SHAPE_134,
  rotateKeys: SHAPE_134,
  revokeKey: SHAPE_134,
} as const;
