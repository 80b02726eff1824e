import { describe, expect, it } from '@jest/globals';
import { createPageTokens, createValueSeal } from '@sluice/auth';
import type { AuditRecord } from '@sluice/contract';
import type { SessionListStore } from '@sluice/store/identity';
import { buildCaller } from '@sluice/testkit';
import { createEndSession, createListSessions } from './sessions.ts';

const SIDS = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const me = buildCaller('me', ['admin']);
const caller = { ...me, principal: { ...me.principal, sessionId: SIDS[1] ?? '' } };
const pageTokens = createPageTokens(() => createValueSeal({ current: Buffer.alloc(32, 7) }));

/** Three open sessions, and one that has ended. Positions are those of the sessions in the list. */
function fixture() {
  const records: AuditRecord[] = [];
  const entries = SIDS.map((id) => ({ id, kind: 'user', user: `${id}@example.com` }) as never);
  const sessionLists: SessionListStore = {
    async list(_tenantId, { after, size }) {
      const from = after === undefined ? 0 : SIDS.indexOf(after.sid) + 1;
      const end = from + size;
      const sid = SIDS[end - 1] ?? '';
      return {
        entries: entries.slice(from, end),
        next: end < SIDS.length ? { createdMicros: `${end}`, sid } : undefined,
      };
    },
    async end({ sid }, record) {
      if (sid === 'ENDED') return 'ended';
      if (!SIDS.includes(sid)) return 'missing';
      records.push(record(`user of ${sid}`));
      return 'ended now';
    },
  };
  const audit = { append: async (record: AuditRecord) => void records.push(record) };
  return {
    records,
    list: createListSessions({ sessionLists, audit, pageTokens }),
    end: createEndSession({ sessionLists }),
  };
}

describe('the sessions of a tenant', () => {
  it('are listed in pages that mark the session of the caller, and every page is recorded', async () => {
    const { list, records } = fixture();
    const first = await list(caller, { size: 2 });
    const second = await list(caller, { size: 2, page_token: first.next_page_token });
    expect([...first.data, ...second.data].map(({ id, current }) => [id, current])).toEqual(
      SIDS.map((id, index) => [id, index === 1]),
    );
    expect(second.next_page_token).toBeUndefined();
    const record = { action: 'READ_SESSIONS', target: 'acme', metadata: { size: 2 } };
    expect(records).toMatchObject([record, record]);
  });

  it('are not listed with a token of another caller, or of another list', async () => {
    const { list, records } = fixture();
    const { next_page_token: token } = await list(caller, { size: 1 });
    const sent = { code: 'invalid_page_token' };
    await expect(list(buildCaller('other'), { page_token: token })).rejects.toMatchObject(sent);
    const foreign = await pageTokens.issue({ createdMicros: '1', sid: 'x' }, ['sessions', 't', 'me']);
    await expect(list(caller, { page_token: foreign })).rejects.toMatchObject(sent);
    expect(records.length).toBe(1);
  });
});

describe('the end of a session', () => {
  it('is recorded with its user', async () => {
    const { end, records } = fixture();
    await end(caller, SIDS[0] ?? '');
    expect(records).toMatchObject([
      { action: 'END_SESSION', target: `user of ${SIDS[0]}`, metadata: { session_id: SIDS[0] } },
    ]);
  });

  it.each([
    ['unknown', 'not_found'],
    ['ENDED', 'conflict'],
  ])('of the session %s is rejected and not recorded', async (sid, code) => {
    const { end, records } = fixture();
    await expect(end(caller, sid)).rejects.toMatchObject({ code });
    expect(records).toEqual([]);
  });
});
