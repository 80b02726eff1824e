import type { ValueSeal } from '@sluice/auth';
import { type Principal, ProblemError } from '@sluice/contract';

/** A page, by its address. */
export interface PageAddress {
  readonly id: string;
  /** Last part of the address (`presentPosition`). */
  readonly position: string;
}

/**
 * Marks of addresses of pages, so that only an address that a host has given out leads to a page, and only for the account that got it. Any
 * host can check them, and nothing is stored.
 */
export interface PageMarks {
  issue(page: PageAddress, account: Principal): Promise<string>;
  /** Throws the `not_found` of a query that does not exist. */
  check(mark: string, page: PageAddress, account: Principal): Promise<void>;
}

/** Prevents that a mark is accepted as another sealed value. */
const PURPOSE = 'page of a Trino client';

const bindingOf = ({ id, position }: PageAddress, { tenant, kind, id: accountId }: Principal): readonly string[] => [
  PURPOSE,
  tenant.id,
  kind,
  accountId,
  id,
  position,
];

/** @param seal - is called for each mark, so that its key may be read when it is first needed */
export const createPageMarks = (seal: () => Promise<ValueSeal>): PageMarks => ({
  // The seal of an empty value is its MAC alone.
  async issue(page, account) {
    return (await seal()).seal('', bindingOf(page, account));
  },
  async check(mark, page, account) {
    if ((await seal()).open(mark, bindingOf(page, account)) !== '') throw noSuchPage();
  },
});

export const noSuchPage = (): ProblemError =>
  new ProblemError('not_found', 'You have no statement with this page. Run the statement again.');
