/** Longer than any answer takes that still matters: the next request follows soon. */
const TIMEOUT_MS = 4000;

/**
 * Reads whether the session of the cookie is open. This is not a use of the session, so a page that is only looked at does not keep it from
 * being idle. Returns undefined if the host does not say so, such as in an outage.
 */
export async function readSessionStatus(tenant: string): Promise<boolean | undefined> {
  try {
    const response = await fetch(`/auth/session/${encodeURIComponent(tenant)}`, {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return undefined;
    const { active } = (await response.json()) as { readonly active?: unknown };
    return typeof active === 'boolean' ? active : undefined;
  } catch {
    return undefined;
  }
}
