import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SlotRequest } from '../query-slots.ts';
import { HeldRequests } from './held-requests.ts';
import { TIMING } from './timing.ts';

const requestOf = (id: string, tenantId = 'acme'): SlotRequest => ({ id, tenantId, accountId: 'ann', sinceMs: 0 });

describe('HeldRequests', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('lists running, queued and released requests by tenant, and no acquiring ones', () => {
    const held = new HeldRequests();
    held.put(requestOf('1'), 'running');
    held.put(requestOf('2'), 'queued');
    held.put(requestOf('3'), 'acquiring');
    held.put(requestOf('4', 'globex'), 'running');
    held.release(requestOf('4', 'globex'));
    expect(Object.fromEntries(held.byTenant())).toEqual({
      acme: { running: ['ann/1'], queued: ['ann/2'], released: [] },
      globex: { running: [], queued: [], released: ['ann/4'] },
    });
  });

  it('lists a released request until it is confirmed', () => {
    const held = new HeldRequests();
    held.put(requestOf('1'), 'running');
    held.release(requestOf('1'));
    expect(held.byTenant().get('acme')?.released).toEqual(['ann/1']);
    held.confirmRelease(requestOf('1'));
    expect(held.byTenant().size).toBe(0);
  });

  it('lists an unconfirmed release until the lease has expired, and once more', () => {
    const held = new HeldRequests();
    held.release(requestOf('1'));
    jest.advanceTimersByTime(TIMING.leaseMs);
    expect(held.byTenant().get('acme')?.released).toEqual(['ann/1']);
    jest.advanceTimersByTime(1);
    expect(held.byTenant().get('acme')?.released).toEqual(['ann/1']);
    expect(held.byTenant().size).toBe(0);
  });

  it('forgets a dropped request, and the release of a request that is held again', () => {
    const held = new HeldRequests();
    held.put(requestOf('1'), 'acquiring');
    held.drop(requestOf('1'));
    expect(held.stateOf(requestOf('1'))).toBeUndefined();
    held.release(requestOf('2'));
    held.put(requestOf('2'), 'queued');
    expect(held.byTenant().get('acme')).toEqual({ running: [], queued: ['ann/2'], released: [] });
  });
});
