/**
 * Subjects of the API with their descriptions. Each operation belongs to one, which is its tag in OpenAPI and its group at `/docs`.
 * All but `health` are also folder names in every layer.
 */
export const SUBJECTS = {
  identity: 'Login, tokens and signing keys',
  administration: 'Users, roles, service accounts, grants and settings of a tenant; tenants for the operator',
  catalog: 'Tables and columns of the engine, with their descriptions, and domains',
  datamaps: 'Stored statements and the search for them',
  marketplace: 'Items that others may download, with access requests and ratings',
  queries: 'Running statements, downloads and receipts',
  audit: 'Reading and exporting the audit log',
  health: 'Probes, the web console, and the documentation of the API',
} as const;

export type Subject = keyof typeof SUBJECTS;
