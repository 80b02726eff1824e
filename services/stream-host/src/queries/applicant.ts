/** Who wants to run a query, and the limits of their tenant where it has its own. */
export interface Applicant {
  readonly tenantId: string;
  readonly accountId: string;
  readonly queriesPerUser?: number | undefined;
  readonly queriesPerTenant?: number | undefined;
}
