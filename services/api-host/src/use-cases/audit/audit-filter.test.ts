import { describe, expect, it } from '@jest/globals';
import type { Tenant } from '@sluice/contract';
import { auditFilterOf, filterMetadata, visibleFrom } from './audit-filter.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1_700_000_000_000;
const options = { tenantId: 'acme', from: 1000, nameDigest: (tenant: string, name: string) => `${tenant}:${name}` };

const tenantWith = (settings: Tenant['settings']): Tenant => ({ id: 'id', name: 'acme', state: 'active', settings });

describe('visibleFrom', () => {
  it('is a whole hour, so that hourly counts apply', () => {
    const from = visibleFrom(tenantWith({}), DAY_MS, NOW);
    expect(from % HOUR_MS).toBe(0);
    expect(NOW - from).toBeGreaterThanOrEqual(DAY_MS);
    expect(NOW - from).toBeLessThan(DAY_MS + HOUR_MS);
  });

  it("prefers the tenant's own retention, and never precedes the epoch", () => {
    expect(visibleFrom(tenantWith({ auditRetentionMs: HOUR_MS }), DAY_MS, NOW)).toBeGreaterThan(NOW - DAY_MS);
    expect(visibleFrom(tenantWith({ auditRetentionMs: 2 * NOW }), DAY_MS, NOW)).toBe(0);
  });
});

describe('auditFilterOf', () => {
  it('never starts before the visible records', () => {
    expect(auditFilterOf({}, options)).toEqual({ start: 1000 });
    expect(auditFilterOf({ start: 1 }, options)).toEqual({ start: 1000 });
    expect(auditFilterOf({ start: 2000, end: 3000 }, options)).toEqual({ start: 2000, end: 3000 });
  });

  it('names the fields for the store and adds the digest of a user name', () => {
    const advance_options = { user_name: 'ann', action: 'LOGIN', target: 't', request_id: 'r', query_id: 'q' };
    expect(auditFilterOf({ advance_options }, options)).toEqual({
      start: 1000,
      user: 'ann',
      userDigest: 'acme:ann',
      action: 'LOGIN',
      target: 't',
      requestId: 'r',
      queryId: 'q',
    });
  });
});

describe('the filter of actions', () => {
  it.each([
    [{ action: 'A' }, { action: 'A' }],
    [{ actions: ['A'] }, { action: 'A' }],
    [{ actions: ['B', 'A', 'B'] }, { actions: ['B', 'A'] }],
    [{ action: 'A', actions: ['A', 'B'] }, { action: 'A' }],
    [{ action: 'A', actions: ['B'] }, { actions: [] }],
    [{ actions: ['A', 'B'], exclude_actions: ['A'] }, { action: 'B' }],
    [{ action: 'A', exclude_actions: ['A'] }, { actions: [] }],
    [{ exclude_actions: ['A', 'A'] }, { excludedActions: ['A'] }],
  ])('of %j is %j', (advance_options, expected) => {
    expect(auditFilterOf({ advance_options }, options)).toEqual({ start: 1000, ...expected });
  });

  it('folds the words of a text', () => {
    expect(auditFilterOf({ advance_options: { text: ' Zürich\nSTRASSE zürich ' } }, options)).toEqual({
      start: 1000,
      words: ['zurich', 'strasse'],
    });
  });
});

describe('filterMetadata', () => {
  it('contains only what the caller sent', () => {
    expect(filterMetadata({})).toEqual({});
    expect(filterMetadata({ end: 5, advance_options: { target: 't' } })).toEqual({ end: 5, target: 't' });
  });
});
