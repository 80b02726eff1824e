import {
  auditOf,
  type Caller,
  ProblemError,
  type QueryParameter,
  STATEMENT_BYTES_MAX,
  STATEMENT_WINDOW_MS,
} from '@sluice/contract';
import { AccountBudget } from '@sluice/http';
import type { Events } from '@sluice/observability';
import type { AuditStore } from '@sluice/store/audit';

/** Statements of at most this size are free unless they are refused. */
const ORDINARY_BYTES = 16 * 1024;

interface Statement {
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
}

/** Returns the bytes of a statement that the audit log keeps. */
const bytesOf = ({ sql, parameters = [] }: Statement): number =>
  parameters.reduce((sum, { name, value }) => sum + name.length + textBytesOf(value), Buffer.byteLength(sql));

const textBytesOf = (value: QueryParameter['value']): number =>
  Buffer.byteLength(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? ''));

interface StatementBudgetDependencies {
  readonly audit: Pick<AuditStore, 'append'>;
  readonly events: Pick<Events, 'auditFailed'>;
}

/**
 * Budget of the bytes that the statements of one account add to the database within an hour. Every statement is kept for as long as the
 * audit log, and one that is refused costs its caller nothing.
 */
export class StatementBudget {
  readonly #budget = new AccountBudget({ bytesMax: STATEMENT_BYTES_MAX, windowMs: STATEMENT_WINDOW_MS });
  readonly #dependencies: StatementBudgetDependencies;

  constructor(dependencies: StatementBudgetDependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `too_many_requests` when the account has used its budget. The first time in an hour is recorded. */
  async admit(caller: Caller): Promise<void> {
    const exceeded = this.#budget.exceeded(caller.principal);
    if (exceeded === undefined) return;
    const { retryAfterSeconds, isFirst } = exceeded;
    if (isFirst) await this.#record(caller, retryAfterSeconds);
    throw new ProblemError(
      'too_many_requests',
      'Too many statements of this account were refused or longer than 16 KiB within the last hour. Send the next one later.',
      { retryAfterSeconds },
    );
  }

  /** Charges a statement that begins, if it is long. */
  begins({ principal }: Caller, statement: Statement): void {
    const bytes = bytesOf(statement);
    if (bytes > ORDINARY_BYTES) this.#budget.charge(principal, bytes);
  }

  /** Charges a statement that was refused, unless it was charged when it began. */
  isRefused({ principal }: Caller, statement: Statement): void {
    const bytes = bytesOf(statement);
    if (bytes <= ORDINARY_BYTES) this.#budget.charge(principal, bytes);
  }

  async #record(caller: Caller, retryAfterSeconds: number): Promise<void> {
    const { audit, events } = this.#dependencies;
    const metadata = { bytes_max: STATEMENT_BYTES_MAX, retry_after_seconds: retryAfterSeconds };
    try {
      await audit.append(auditOf(caller, { action: 'LIMIT_STATEMENTS', target: caller.principal.name, metadata }));
    } catch (err) {
      const { requestId, principal } = caller;
      events.auditFailed({
        action: 'LIMIT_STATEMENTS',
        err,
        requestId,
        tenant: principal.tenant.name,
        user: principal.name,
      });
    }
  }
}
