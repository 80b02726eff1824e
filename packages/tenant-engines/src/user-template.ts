/** Whom Trino is told that a statement runs for: the tenant's name, then the e-mail or the client id. */
export const USER_TEMPLATE_DEFAULT = '{tenant}/{user}';

const VISIBLE = /^[\x21-\x7e]+$/;
const PLACEHOLDER = /\{[^}]*\}?|\}/g;
/** Characters of which a tenant's name consists: between the two names, one of them would not end the tenant's. */
const OF_TENANT = /[a-z0-9-]/i;

/**
 * The template, checked. No two accounts of two tenants may be the same user of Trino: so the character beside `{tenant}`, on the
 * side of `{user}`, must be one that no tenant's name has. Throws an Error whose message completes a sentence that begins with
 * the setting's name.
 */
export function checkUserTemplate(template: string): string {
  if (!VISIBLE.test(template)) throw new Error('must consist of visible ASCII characters');
  const placeholders: readonly string[] = template.match(PLACEHOLDER) ?? [];
  const isKnown = placeholders.every((text) => text === '{tenant}' || text === '{user}');
  if (!isKnown || new Set(placeholders).size < placeholders.length || !placeholders.includes('{user}')) {
    throw new Error('must hold {user} once, {tenant} at most once, and no other braces');
  }
  const [tenant, user] = [template.indexOf('{tenant}'), template.indexOf('{user}')];
  if (tenant === -1) return template;
  const beside = tenant < user ? template.charAt(tenant + '{tenant}'.length) : template.charAt(tenant - 1);
  if (OF_TENANT.test(beside) || '{}'.includes(beside)) {
    throw new Error('must have a character between {tenant} and {user}, beside {tenant}, that no tenant’s name has: /');
  }
  return template;
}

/** The template of one tenant, in which only `{user}` is left. */
export const templateForTenant = (template: string, tenantName: string): string =>
  template.replace('{tenant}', tenantName);
