import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AuditReaderLimit } from './audit-reader-limit.ts';

const TENANTS = ['acme', 'globex'] as const;
const READERS_MAX = 3;

it('never exceeds the limit of a tenant, and never rejects a tenant below it', () => {
  const anyStep = fc.record({ tenant: fc.constantFrom(...TENANTS), isAcquire: fc.boolean() });
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const limit = new AuditReaderLimit(READERS_MAX);
      const held: Record<(typeof TENANTS)[number], Disposable[]> = { acme: [], globex: [] };
      for (const { tenant, isAcquire } of steps) {
        const own = held[tenant];
        if (!isAcquire) own.pop()?.[Symbol.dispose]();
        else if (own.length < READERS_MAX) own.push(limit.acquire(tenant));
        else expect(() => limit.acquire(tenant)).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
      }
    }),
  );
});

it('frees one slot only, however often it is disposed of', () => {
  const limit = new AuditReaderLimit(1);
  const slot = limit.acquire('acme');
  slot[Symbol.dispose]();
  const next = limit.acquire('acme');
  slot[Symbol.dispose]();
  expect(() => limit.acquire('acme')).toThrow(expect.objectContaining({ retryAfterSeconds: 10 }));
  next[Symbol.dispose]();
});
