import type { AuditEntry } from '@sluice/client';

/** A record, and its text if the host has sent it with every digit of its numbers. */
export interface OpenRecord {
  readonly entry: AuditEntry;
  readonly json: string;
}
