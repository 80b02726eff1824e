/** Where a tenant's identity provider sends the browser back to; the provider must allow exactly this. */
export const callbackUrl = (baseUrl: string, tenantName: string): string => `${baseUrl}/auth/callback/${tenantName}`;
