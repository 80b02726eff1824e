import type { AcceptedStatement } from '../guard/accepted-statement.ts';
import type { NameDirectory } from '../guard/name-directory.ts';
import type { Namespace } from '../namespace.ts';
import type { ViewTables } from '../view-tables.ts';
import { RecentEntries } from './recent-entries.ts';

interface ScopeOptions {
  readonly namespace: Namespace;
  readonly names: NameDirectory;
  readonly viewTables: ViewTables;
}

/** Entries hold little more than their text of at most 4,096 characters. */
const ACCEPTED_MAX = 64;

/** The schema of unqualified names, and what follows from it: which tables a name means, and what the guard found in a text. */
export class Scope {
  readonly namespace: Namespace;
  readonly names: NameDirectory;
  readonly viewTables: ViewTables;
  /**
   * Statements that the guard accepted lately, by their text. The guard's result depends on nothing else than the scope: every statement of an
   * instance has the same catalogs and rights, since an instance serves one tenant.
   */
  readonly accepted = new RecentEntries<AcceptedStatement>(ACCEPTED_MAX);
  /** The last statement that the guard passed, of any length: its tables are named first, and then it runs. */
  guarded: { readonly sql: string; readonly accepted: AcceptedStatement } | undefined;

  constructor({ namespace, names, viewTables }: ScopeOptions) {
    this.namespace = namespace;
    this.names = names;
    this.viewTables = viewTables;
  }
}
