import { describe, expect, it } from '@jest/globals';
import { type AccessRequest, accessOfRequest, accessState, mayRequest } from './access-state.ts';

const NOW = 1_000_000;
const ME = 'ann@acme.example';
const item = (given: { is_granted?: boolean; access_expires_ts?: number | null; owner?: string } = {}) => ({
  is_granted: false,
  access_expires_ts: null,
  owner: 'owner@acme.example',
  ...given,
});
const request = (given: Partial<AccessRequest>): AccessRequest => ({
  request_id: 'r',
  item_id: 'i',
  user: ME,
  reason: 'work',
  state: 'PENDING',
  created_ts: 1,
  decided_ts: null,
  decided_by: null,
  expires_ts: null,
  note: null,
  ...given,
});
const kindOf = (...[facts, requests]: [ReturnType<typeof item>, AccessRequest[]?]): string =>
  accessState(facts, requests ?? [], ME, NOW).kind;

describe('accessState', () => {
  it('is that of the owner, who needs no grant', () => {
    expect(kindOf(item({ is_granted: true, owner: ME }))).toBe('owner');
  });

  it('is granted until the end of the grant, and not a moment longer', () => {
    expect(kindOf(item({ is_granted: true }))).toBe('granted');
    expect(kindOf(item({ is_granted: true, access_expires_ts: NOW + 1 }))).toBe('granted');
    expect(kindOf(item({ is_granted: true, access_expires_ts: NOW }))).toBe('none');
  });

  it('is requested while a request is undecided, also after an earlier refusal', () => {
    const refused = request({ state: 'REFUSED', decided_ts: 5 });
    expect(kindOf(item(), [refused, request({})])).toBe('requested');
  });

  it('follows the latest decision', () => {
    const approved = request({ state: 'APPROVED', decided_ts: 5, expires_ts: 10 });
    const refused = request({ state: 'REFUSED', decided_ts: 9 });
    expect(kindOf(item(), [approved, refused])).toBe('refused');
    expect(accessState(item(), [approved], ME, NOW)).toMatchObject({ kind: 'ended', isExpired: true });
    const endless = request({ state: 'APPROVED', decided_ts: 5 });
    expect(accessState(item(), [endless], ME, NOW)).toMatchObject({ kind: 'ended', isExpired: false });
  });

  it('allows a request exactly where there is neither access nor an undecided request', () => {
    const allowed = [
      accessState(item(), [], ME, NOW),
      accessState(item(), [request({ state: 'REFUSED' })], ME, NOW),
      accessState(item(), [request({ state: 'APPROVED' })], ME, NOW),
      accessState(item(), [request({})], ME, NOW),
      accessState(item({ is_granted: true }), [], ME, NOW),
    ];
    expect(allowed.map(mayRequest)).toEqual([true, true, true, false, false]);
  });
});

describe('accessOfRequest', () => {
  it('names the state of a request as the item does', () => {
    const words = [
      request({}),
      request({ state: 'REFUSED' }),
      request({ state: 'APPROVED' }),
      request({ state: 'APPROVED', expires_ts: NOW + 1 }),
      request({ state: 'APPROVED', expires_ts: NOW }),
    ].map((each) => accessOfRequest(each, NOW));
    expect(words).toEqual(['requested', 'refused', 'granted', 'granted', 'ended']);
  });
});
