import { adminOperations } from '../administration/admin-operations.ts';
import { adminSessionOperations } from '../administration/admin-session-operations.ts';
import { configurationOperations } from '../administration/configuration-operations.ts';
import { grantOperations } from '../administration/grant-operations.ts';
import { identityProviderOperations } from '../administration/identity-provider-operations.ts';
import { invitationOperations } from '../administration/invitation-operations.ts';
import { serviceAccountOperations } from '../administration/service-account-operations.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { catalogOperations } from '../catalog/catalog-operations.ts';
import { domainOperations } from '../catalog/domain.ts';
import { harvestOperations } from '../catalog/harvest-operations.ts';
import { metadataFileOperations } from '../catalog/metadata-file-operations.ts';
import { metadataOperations } from '../catalog/metadata-operations.ts';
import { datamapOperations } from '../datamaps/datamap-operations.ts';
import { identityOperations } from '../identity/identity-operations.ts';
import { meOperation } from '../identity/me.ts';
import { API_CREDENTIALS, type Operation } from './operation.ts';
import { probeOperations } from './probe-operations.ts';

/** Operations of the API host. */
export const apiOperations = {
  ...probeOperations,
  getMe: meOperation(API_CREDENTIALS),
  ...identityOperations,
  ...metadataOperations,
  ...metadataFileOperations,
  ...harvestOperations,
  ...catalogOperations,
  ...auditOperations,
  ...domainOperations,
  ...datamapOperations,
  ...invitationOperations,
  ...adminOperations,
  ...adminSessionOperations,
  ...serviceAccountOperations,
  ...grantOperations,
  ...identityProviderOperations,
  ...configurationOperations,
} as const satisfies Record<string, Operation>;
