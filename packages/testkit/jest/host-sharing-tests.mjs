/**
 * Test files that share one API host with the others of their Jest worker (`shareTestHost` in packages/testkit/testing/hosts). They run
 * one after another (longest-first.mjs), because the host is closed before any other file (native/shared-host.mjs).
 */
const HOST_SHARING_TESTS = [
  'administration/admin-apply',
  'administration/admin-apply-content',
  'administration/admin-apply-invalid',
  'administration/admin-grants',
  'administration/admin-roles',
  'administration/admin-sessions',
  'administration/user-list',
  'catalog/browse-catalog',
  'catalog/domains',
  'catalog/metadata-bad-input',
  'catalog/metadata-dry-run',
  'catalog/metadata-history',
  'catalog/metadata-idempotency',
  'catalog/metadata-overview',
  'catalog/metadata-permissions',
  'catalog/table-owner',
  'datamaps/datamap-access',
  'datamaps/datamap-bad-input',
  'datamaps/datamap-lifecycle',
  'datamaps/datamap-parameters',
  'datamaps/datamap-search',
  'identity/change-password',
  'identity/own-sessions',
].map((name) => `services/api-host/tests/${name}.test.ts`);

export const sharesHost = (path) => HOST_SHARING_TESTS.some((file) => path.endsWith(file));
