import type { Applicant } from './applicant.ts';

/** How many a user and a tenant have; what is at zero is forgotten. */
export class ApplicantCounts {
  readonly #counts = new Map<string, number>();

  add(applicant: Applicant, change: 1 | -1): void {
    for (const key of [userKey(applicant), applicant.tenantId]) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }

  ofUser(applicant: Applicant): number {
    return this.#counts.get(userKey(applicant)) ?? 0;
  }

  ofTenant(applicant: Applicant): number {
    return this.#counts.get(applicant.tenantId) ?? 0;
  }
}

const userKey = ({ tenantId, accountId }: Applicant): string => `${tenantId}/${accountId}`;
