/** Every action the audit log knows, with what it means. `docs/audit-actions.md` is tested against this table. */
export const AUDIT_ACTIONS = {
  RUN_QUERY: 'A statement was sent to POST /query',
  DOWNLOAD_QUERY: 'A statement was sent to POST /query/download/...',
  CANCEL_QUERY: 'A running query was cancelled by DELETE /query/{id}',
  LOGIN: 'A person or service account logged in with a password',
  LOGIN_FAILED: 'A login, a Basic credential or a client secret was refused',
  REFRESH_TOKEN: 'A refresh token was exchanged for new tokens',
  REFRESH_TOKEN_REUSED: 'A spent refresh token was presented again, and its session was revoked',
  ISSUE_TOKEN: 'A client got an access token by client credentials, or a page got tokens for its session cookie',
  LOGOUT: 'A session was ended by its owner',
  IMPORT_METADATA:
    'Descriptions, tags, domains or fields were imported, tried by a dry run, or the answer of an import was asked for again',
  READ_DOMAINS: 'Domains were listed or one was read',
  CREATE_DOMAIN: 'A domain was made',
  UPDATE_DOMAIN: 'A domain was renamed or described',
  DELETE_DOMAIN: 'A domain was removed',
  SEARCH_DATAMAPS: 'Datamaps, tables or views were searched',
  READ_DATAMAP: 'A datamap was read',
  CREATE_DATAMAP: 'A datamap was made',
  UPDATE_DATAMAP: 'A datamap was changed',
  PUBLISH_DATAMAP: 'A datamap was published',
  UNPUBLISH_DATAMAP: 'A published datamap was taken back',
  ARCHIVE_DATAMAP: 'A datamap was archived',
  DELETE_DATAMAP: 'A datamap was removed',
  SET_DATAMAP_ACTIVITY: 'Somebody set a favourite, rating or vote of their own',
  SEARCH_AUDIT_LOGS: 'A page of the audit log was read',
  EXPORT_AUDIT_LOGS: 'Audit records were exported',
  FOLLOW_AUDIT_LOGS: 'The audit log was followed by GET /audits/logs/stream',
  READ_AUDIT_CHECKPOINTS: 'Signed checkpoints of the audit log were read',
  ACCESS_DENIED: 'An authenticated request was refused for lack of a permission',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
