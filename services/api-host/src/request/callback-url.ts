/** Returns the redirect URI of a tenant's identity provider. The provider must allow exactly this address. */
export const callbackUrl = (baseUrl: string, tenantName: string): string => `${baseUrl}/auth/callback/${tenantName}`;
