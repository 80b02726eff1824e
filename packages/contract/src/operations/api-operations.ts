import { adminOperations } from '../administration/admin-operations.ts';
import { adminSessionOperations } from '../administration/admin-session.ts';
import { auditSettingsOperations } from '../administration/audit-settings.ts';
import { configurationOperations } from '../administration/configuration.ts';
import { grantOperations } from '../administration/grant.ts';
import { identityProviderOperations } from '../administration/identity-provider.ts';
import { invitationOperations } from '../administration/invitation.ts';
import { oauthClientOperations } from '../administration/oauth-client.ts';
import { oauthSettingsOperations } from '../administration/oauth-settings.ts';
import { serviceAccountOperations } from '../administration/service-account.ts';
import { sessionSettingsOperations } from '../administration/session-settings.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { catalogOperations } from '../catalog/catalog.ts';
import { catalogFileOperations } from '../catalog/catalog-file.ts';
import { domainOperations } from '../catalog/domain.ts';
import { harvestOperations } from '../catalog/harvest.ts';
import { metadataOperations } from '../catalog/metadata.ts';
import { metadataFileOperations } from '../catalog/metadata-file-operations.ts';
import { metadataHistoryOperations } from '../catalog/metadata-history.ts';
import { metadataOverviewOperations } from '../catalog/metadata-overview.ts';
import { datamapOperations } from '../datamaps/datamap.ts';
import { externalLoginOperations } from '../identity/external-login.ts';
import { identityOperations } from '../identity/identity-operations.ts';
import { meOperation } from '../identity/me.ts';
import { notificationOperations } from '../identity/notification-settings.ts';
import { oauthOperations } from '../identity/oauth-operations.ts';
import { ownAccountOperations } from '../identity/own-account.ts';
import { ownConsentOperations } from '../identity/own-consents.ts';
import { protectedResourceOperations } from '../identity/protected-resource.ts';
import { API_CREDENTIALS, type Operation } from './operation.ts';
import { probeOperations } from './probe-operations.ts';

/** Operations of the API host. */
export const apiOperations = {
  ...probeOperations,
  getMe: meOperation(API_CREDENTIALS),
  ...protectedResourceOperations,
  ...ownAccountOperations,
  ...ownConsentOperations,
  ...notificationOperations,
  ...identityOperations,
  ...oauthOperations,
  ...externalLoginOperations,
  ...metadataOperations,
  ...metadataFileOperations,
  ...metadataHistoryOperations,
  ...metadataOverviewOperations,
  ...harvestOperations,
  ...catalogFileOperations,
  ...catalogOperations,
  ...auditOperations,
  ...domainOperations,
  ...datamapOperations,
  ...invitationOperations,
  ...adminOperations,
  ...adminSessionOperations,
  ...sessionSettingsOperations,
  ...auditSettingsOperations,
  ...serviceAccountOperations,
  ...oauthClientOperations,
  ...oauthSettingsOperations,
  ...grantOperations,
  ...identityProviderOperations,
  ...configurationOperations,
} as const satisfies Record<string, Operation>;
