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
const SHAPE_48 = {
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
const SHAPE_49 = {
  access_token: 'token',
  token_type: 'string',
  expires_in: 'number',
  'refresh_token?': 'token',
  'id_token?': 'token',
  'scope?': 'string',
} as const;
const SHAPE_50 = {} as const;
const SHAPE_51 = {
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
const SHAPE_52 = {
  device_code: 'string',
  user_code: 'string',
  verification_uri: 'string',
  verification_uri_complete: 'string',
  expires_in: 'number',
  interval: 'number',
} as const;
const SHAPE_53 = { 'field|null': 'string', property: 'string', 'before|null': 'any', 'after|null': 'any' } as const;
const SHAPE_54 = {
  id: 'string',
  type: 'string',
  fact_id: 'string',
  success: 'boolean',
  fields_processed: 'boolean',
  'error_message|null': 'string',
  'changes?': [SHAPE_53],
} as const;
const SHAPE_55 = {
  metadata_results: [SHAPE_54],
  success_count: 'number',
  failure_count: 'number',
  total_count: 'number',
} as const;
const SHAPE_56 = {
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
const SHAPE_57 = {
  version: 'number',
  changed_ts: 'number',
  changed_by: 'string',
  'request_id|null': 'string',
  changes: [SHAPE_53],
} as const;
const SHAPE_58 = { total: 'number', data: [SHAPE_57] } as const;
const SHAPE_59 = { tag: 'string', count: 'number' } as const;
const SHAPE_60 = { data: [SHAPE_59] } as const;
const SHAPE_61 = { catalog: 'string', schema: 'string', table_count: 'number', described_count: 'number' } as const;
const SHAPE_62 = { table_count: 'number', described_count: 'number', total: 'number', data: [SHAPE_61] } as const;
const SHAPE_63 = {
  id: 'string',
  catalog: 'string',
  schema: 'string',
  name: 'string',
  type: 'string',
  read_count: 'number',
  column_count: 'number',
  described_column_count: 'number',
} as const;
const SHAPE_64 = { total: 'number', data: [SHAPE_63] } as const;
const SHAPE_65 = { run_id: 'string', state: 'string' } as const;
const SHAPE_66 = {
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
const SHAPE_67 = { data: [SHAPE_66] } as const;
const SHAPE_68 = { name: 'string', table_count: 'number' } as const;
const SHAPE_69 = {
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
const SHAPE_70 = {
  data: [SHAPE_68],
  'next_page_token?': 'token',
  files: [SHAPE_69],
  'next_files_after?': 'string',
  file_count: 'number',
  problem_count: 'number',
} as const;
const SHAPE_71 = {
  name: 'string',
  vendor_name: 'string',
  location: 'string',
  schema_count: 'number',
  table_count: 'number',
  'harvested_ts|null': 'number',
} as const;
const SHAPE_72 = { data: [SHAPE_71], 'next_page_token?': 'token' } as const;
const SHAPE_73 = { data: [SHAPE_68], 'next_page_token?': 'token' } as const;
const SHAPE_74 = {
  name: 'string',
  type: 'string',
  'description|null': 'string',
  'remarks|null': 'string',
  tags: ['string'],
} as const;
const SHAPE_75 = { data: [SHAPE_74], 'next_page_token?': 'token' } as const;
const SHAPE_76 = { name: 'string', type: 'string', 'description|null': 'string', tags: ['string'] } as const;
const SHAPE_77 = {
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
  columns: [SHAPE_76],
} as const;
const SHAPE_78 = {
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
const SHAPE_79 = {
  total: 'number',
  'at_least?': 'boolean',
  'searched_to?': 'number',
  data: [SHAPE_78],
  'next_page_token?': 'token',
  'reads_since?|null': 'number',
} as const;
const SHAPE_80 = { name: 'string', records: 'number' } as const;
const SHAPE_81 = {
  by: 'string',
  start: 'number',
  end: 'number',
  total: 'number',
  limited: 'boolean',
  data: [SHAPE_80],
} as const;
const SHAPE_82 = { payload: 'string', key_id: 'string', signature: 'string' } as const;
const SHAPE_83 = { key_id: 'string', public_key: 'string' } as const;
const SHAPE_84 = { data: [SHAPE_82], keys: [SHAPE_83] } as const;
const SHAPE_85 = {
  id: 'string',
  name: 'string',
  'description|null': 'string',
  'owner|null': 'string',
  object_count: 'number',
  created_ts: 'number',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_86 = { total: 'number', data: [SHAPE_85] } as const;
const SHAPE_87 = {
  type: 'string',
  id: 'string',
  name: 'string',
  'catalog|null': 'string',
  'schema|null': 'string',
  'description|null': 'string',
} as const;
const SHAPE_88 = { total: 'number', data: [SHAPE_87] } as const;
const SHAPE_89 = {
  name: 'string',
  data_type: 'number',
  java_type: 'string',
  column_size: 'number',
  decimal_digits: 'number',
  description: 'string',
  tags: ['string'],
  auto_increment: 'string',
} as const;
const SHAPE_90 = {
  'to|null': 'string',
  'sme|null': 'string',
  from: 'string',
  last_updated_timestamp: 'number',
} as const;
const SHAPE_91 = {
  is_advanced_mode: 'boolean',
  'external_query_id|null': 'string',
  'external_query_name|null': 'string',
  selected_data_source_id: 'string',
  'advance_selected_data_source_id|null': 'string',
  limit: 'number',
} as const;
const SHAPE_92 = { 'sql|null': 'string', source_ids: ['string'], 'sources|null': ['any'] } as const;
const SHAPE_93 = {
  name: 'string',
  display_name: 'string',
  state: 'string',
  import_type: 'string',
  fact_map: 'object',
  assigned: SHAPE_90,
  priority: 'string',
  config: SHAPE_91,
  advanced_mode: SHAPE_92,
  parameters: [SHAPE_11],
  'created_by|null': 'string',
  'updated_by|null': 'string',
  'last_published_by|null': 'string',
  created_timestamp: 'number',
  last_updated_timestamp: 'number',
  'last_published_timestamp|null': 'number',
  'last_execution_timestamp|null': 'number',
  datamap_fields: [SHAPE_89],
  explainer: ['any'],
  explanation: 'string',
} as const;
const SHAPE_94 = {
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
const SHAPE_95 = {
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
  fields: [SHAPE_89],
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
  datamap: SHAPE_93,
  user_activity: SHAPE_94,
} as const;
const SHAPE_96 = { total: 'number', max_supported_records: 'number', data: [SHAPE_95] } as const;
const SHAPE_97 = {
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
const SHAPE_98 = { total: 'number', data: [SHAPE_97] } as const;
const SHAPE_99 = { url: 'string', token: 'string', expires_ts: 'number' } as const;
const SHAPE_100 = {
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
  'invitation|null': SHAPE_99,
} as const;
const SHAPE_101 = {
  name: 'string',
  permissions: ['string'],
  user_count: 'number',
  service_account_count: 'number',
  'updated_ts|null': 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_102 = { data: [SHAPE_101] } as const;
const SHAPE_103 = {
  id: 'string',
  kind: 'string',
  account_id: 'string',
  user: 'string',
  'issuer|null': 'string',
  created_ts: 'number',
  expires_ts: 'number',
  current: 'boolean',
} as const;
const SHAPE_104 = { data: [SHAPE_103], 'next_page_token?': 'token' } as const;
const SHAPE_105 = {
  'query_time_ms|null': 'number',
  'queries_per_user|null': 'number',
  'queries_per_tenant|null': 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_106 = {
  query_time_ms: 'number',
  queries_per_user: 'number',
  queries_per_tenant: 'number',
  'rows_max|null': 'number',
  'bytes_max|null': 'number',
} as const;
const SHAPE_107 = { own: SHAPE_105, operator: SHAPE_106, effective: SHAPE_106 } as const;
const SHAPE_108 = { idle_minutes: 'number', absolute_hours: 'number' } as const;
const SHAPE_109 = { 'idle_minutes|null': 'number', 'absolute_hours|null': 'number', max: SHAPE_108 } as const;
const SHAPE_110 = { metadata_reads: 'string' } as const;
const SHAPE_111 = {
  secret_id: 'string',
  'label|null': 'string',
  'created_ts|null': 'number',
  'created_by|null': 'string',
  'expires_ts|null': 'number',
  'last_used_ts|null': 'number',
} as const;
const SHAPE_112 = {
  id: 'string',
  client_id: 'string',
  roles: ['string'],
  disabled: 'boolean',
  'allowed_networks|null': ['string'],
  'scopes|null': ['string'],
  'jwks|null': SHAPE_46,
  'jwks_uri|null': 'string',
  may_introspect: 'boolean',
  secrets: [SHAPE_111],
  'last_used_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
} as const;
const SHAPE_113 = { total: 'number', data: [SHAPE_112] } as const;
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
  secrets: [SHAPE_111],
  'last_used_ts|null': 'number',
  created_ts: 'number',
  updated_ts: 'number',
  'updated_by|null': 'string',
  client_secret: 'string',
} as const;
const SHAPE_115 = { data: [SHAPE_111] } as const;
const SHAPE_116 = {
  secret_id: 'string',
  'label|null': 'string',
  'expires_ts|null': 'number',
  client_secret: 'string',
} as const;
const SHAPE_117 = {
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
const SHAPE_118 = { total: 'number', data: [SHAPE_117] } as const;
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
  'client_secret|null': 'string',
} as const;
const SHAPE_120 = { client_metadata_documents: 'string' } as const;
const SHAPE_121 = {
  item_id: 'string',
  item_title: 'string',
  kind: 'string',
  name: 'string',
  'expires_ts|null': 'number',
  is_expired: 'boolean',
  granted_ts: 'number',
  granted_by: 'string',
} as const;
const SHAPE_122 = { total: 'number', data: [SHAPE_121] } as const;
const SHAPE_123 = { value: 'string', roles: ['string'] } as const;
const SHAPE_124 = {
  issuer: 'string',
  client_id: 'string',
  has_client_secret: 'boolean',
  scopes: ['string'],
  email_claim: 'string',
  'groups_claim|null': 'string',
  role_mappings: [SHAPE_123],
  trust_email: 'boolean',
  create_users: 'boolean',
  return_to: ['string'],
  callback_url: 'string',
  updated_ts: 'number',
  updated_by: 'string',
} as const;
const SHAPE_125 = { url: 'string', expires_ts: 'number' } as const;
const SHAPE_126 = {
  kind: 'string',
  name: 'string',
  action: 'string',
  'before|null': 'any',
  'after|null': 'any',
  'invitation|null': SHAPE_99,
  'client_secret|null': 'string',
} as const;
const SHAPE_127 = {
  dry_run: 'boolean',
  created_count: 'number',
  updated_count: 'number',
  unchanged_count: 'number',
  changes: [SHAPE_126],
} as const;
const SHAPE_128 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
} as const;
const SHAPE_129 = { data: [SHAPE_128] } as const;
const SHAPE_130 = {
  id: 'string',
  name: 'string',
  state: 'string',
  created_ts: 'number',
  'removal_requested_ts|null': 'number',
  'email_domains|null': ['string'],
  invitation: SHAPE_99,
} as const;
const SHAPE_131 = {
  kid: 'string',
  state: 'string',
  'published_ts|null': 'number',
  'signs_from_ts|null': 'number',
  'signs_until_ts|null': 'number',
  'expires_ts|null': 'number',
  'refused_from_ts|null': 'number',
} as const;
const SHAPE_132 = { data: [SHAPE_131] } as const;

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
  'sessionTokens?': SHAPE_47,
  refresh: SHAPE_47,
  backchannelLogout: SHAPE_42,
  authorizationServerMetadata: SHAPE_48,
  openidConfiguration: SHAPE_48,
  requestToken: SHAPE_49,
  revokeToken: SHAPE_50,
  introspectToken: SHAPE_51,
  authorizeDevice: SHAPE_52,
  importMetadata: SHAPE_55,
  startMetadataImport: SHAPE_56,
  readMetadataImport: SHAPE_56,
  cancelMetadataImport: SHAPE_56,
  listMetadataChanges: SHAPE_58,
  listTags: SHAPE_60,
  getMetadataCoverage: SHAPE_62,
  listUndescribedTables: SHAPE_64,
  startHarvest: SHAPE_65,
  listHarvests: SHAPE_67,
  listCatalogFiles: SHAPE_70,
  listCatalogs: SHAPE_72,
  listCatalogSchemas: SHAPE_73,
  listCatalogTables: SHAPE_75,
  getCatalogTable: SHAPE_77,
  searchAuditLogs: SHAPE_79,
  nextAuditPage: SHAPE_79,
  summarizeAuditLogs: SHAPE_81,
  listAuditCheckpoints: SHAPE_84,
  listDomains: SHAPE_86,
  createDomain: SHAPE_85,
  getDomain: SHAPE_85,
  listDomainObjects: SHAPE_88,
  updateDomain: SHAPE_85,
  searchDatamaps: SHAPE_96,
  createDatamap: SHAPE_95,
  getDatamap: SHAPE_95,
  updateDatamap: SHAPE_95,
  publishDatamap: SHAPE_95,
  unpublishDatamap: SHAPE_95,
  archiveDatamap: SHAPE_95,
  setDatamapActivity: SHAPE_95,
  listUsers: SHAPE_98,
  createUser: SHAPE_100,
  getUser: SHAPE_97,
  updateUser: SHAPE_97,
  resetPassword: SHAPE_100,
  linkIdentity: SHAPE_97,
  listRoles: SHAPE_102,
  createRole: SHAPE_101,
  getRole: SHAPE_101,
  updateRole: SHAPE_101,
  listSessions: SHAPE_104,
  endSessions: SHAPE_42,
  getLimits: SHAPE_107,
  putLimits: SHAPE_107,
  getSessionSettings: SHAPE_109,
  putSessionSettings: SHAPE_109,
  getAuditSettings: SHAPE_110,
  putAuditSettings: SHAPE_110,
  listServiceAccounts: SHAPE_113,
  createServiceAccount: SHAPE_114,
  getServiceAccount: SHAPE_112,
  updateServiceAccount: SHAPE_112,
  listClientSecrets: SHAPE_115,
  addClientSecret: SHAPE_116,
  listOAuthClients: SHAPE_118,
  createOAuthClient: SHAPE_119,
  getOAuthClient: SHAPE_117,
  updateOAuthClient: SHAPE_117,
  replaceOAuthClientSecret: SHAPE_119,
  getOAuthSettings: SHAPE_120,
  putOAuthSettings: SHAPE_120,
  listGrants: SHAPE_122,
  createGrant: SHAPE_121,
  getGrant: SHAPE_121,
  updateGrant: SHAPE_121,
  getIdentityProvider: SHAPE_124,
  putIdentityProvider: SHAPE_124,
  testIdentityProvider: SHAPE_125,
  applyConfiguration: SHAPE_127,
  listTenants: SHAPE_129,
  createTenant: SHAPE_130,
  getTenant: SHAPE_128,
  updateTenant: SHAPE_128,
  inviteAdmin: SHAPE_130,
  suspendTenant: SHAPE_128,
  resumeTenant: SHAPE_128,
  removeTenant: SHAPE_128,
  listKeys: SHAPE_132,
  rotateKeys: SHAPE_132,
  revokeKey: SHAPE_132,
} as const;
