/** Default template of Trino users: the tenant's name, then the e-mail or the client id. */
export const USER_TEMPLATE_DEFAULT = '{tenant}/{user}';

const VISIBLE = /^[\x21-\x7e]+$/;
const PLACEHOLDER = /\{[^}]*\}?|\}/g;
/** Characters of tenant names. None of them can separate the tenant's name from the user. */
const TENANT_CHARACTER = /[a-z0-9-]/i;

/**
 * Returns a valid template. Accounts of two tenants must not be the same Trino user, so the character next to `{tenant}`, on the
 * side of `{user}`, must not occur in tenant names. The message of an Error completes a sentence that starts with the setting's name.
 */
export function checkUserTemplate(template: string): string {
  if (!VISIBLE.test(template)) throw new Error('must consist of visible ASCII characters');
  const placeholders: readonly string[] = template.match(PLACEHOLDER) ?? [];
  const isKnown = placeholders.every((text) => text === '{tenant}' || text === '{user}');
  if (!isKnown || new Set(placeholders).size < placeholders.length || !placeholders.includes('{user}')) {
    throw new Error('must contain {user} once, {tenant} at most once, and no other braces');
  }
  const [tenant, user] = [template.indexOf('{tenant}'), template.indexOf('{user}')];
  if (tenant === -1) return template;
  const separator = tenant < user ? template.charAt(tenant + '{tenant}'.length) : template.charAt(tenant - 1);
  if (TENANT_CHARACTER.test(separator) || '{}'.includes(separator)) {
    throw new Error(
      'must have a character between {tenant} and {user}, next to {tenant}, that no tenant name contains, such as /',
    );
  }
  return template;
}

/** Returns the template of one tenant, which contains only `{user}`. */
export const templateForTenant = (template: string, tenantName: string): string =>
  template.replace('{tenant}', tenantName);
