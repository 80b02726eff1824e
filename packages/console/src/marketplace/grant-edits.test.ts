import { describe, expect, it } from '@jest/globals';
import {
  applyGrantEdits,
  grantConflicts,
  hasGrantEdits,
  type ItemGrant,
  listGrants,
  lossesOfGrants,
  NO_GRANT_EDITS,
  undone,
  withGrant,
  withoutGrant,
} from './grant-edits.ts';

const NOW = 1_000;
const grant = (name: string, end: number | null = null): ItemGrant => ({ kind: 'user', name, expires_ts: end });
const ANN = grant('ann@acme.example');
const BOB = grant('bob@acme.example', 5_000);
const STORED = [ANN, BOB];

describe('edits of grants', () => {
  it('are marked on the grants that they change, and can be undone', () => {
    const edits = withoutGrant(
      withGrant(withGrant(NO_GRANT_EDITS, grant('Ann@ACME.example', 4_000)), grant('new@acme.example')),
      STORED,
      'user bob@acme.example',
    );
    expect(listGrants(STORED, edits).map(({ grant: { name }, change }) => [name, change])).toEqual([
      ['Ann@ACME.example', 'changed'],
      ['bob@acme.example', 'removed'],
      ['new@acme.example', 'new'],
    ]);
    const undoneEdits = ['user ann@acme.example', 'user bob@acme.example', 'user new@acme.example'].reduce(
      undone,
      edits,
    );
    expect([hasGrantEdits(edits), hasGrantEdits(undoneEdits)]).toEqual([true, false]);
    expect(listGrants(STORED, undoneEdits)).toEqual(STORED.map((each) => ({ grant: each, change: undefined })));
  });

  it('give, replace and take back, and change nothing else', () => {
    const edits = withoutGrant(
      withGrant(withGrant(NO_GRANT_EDITS, grant('Ann@ACME.example', 4_000)), grant('new@acme.example')),
      STORED,
      'user bob@acme.example',
    );
    expect(applyGrantEdits(STORED, edits)).toEqual([grant('Ann@ACME.example', 4_000), grant('new@acme.example')]);
    const late = grant('approved@acme.example');
    expect(applyGrantEdits([...STORED, late], edits)).toContainEqual(late);
  });

  it('of a recipient who had none leave nothing when they are taken back', () => {
    const edits = withoutGrant(withGrant(NO_GRANT_EDITS, grant('new@acme.example')), STORED, 'user new@acme.example');
    expect(edits).toEqual(NO_GRANT_EDITS);
  });

  it('conflict with changes of the same grant by others only', () => {
    const edits = withGrant(NO_GRANT_EDITS, grant('ann@acme.example', 9_000));
    const mine = grant('ann@acme.example', 9_000);
    const theirs = grant('ann@acme.example', 1);
    const key = 'user ann@acme.example';
    expect(grantConflicts(edits, STORED, [ANN])).toEqual([]);
    expect(grantConflicts(edits, STORED, [BOB])).toEqual([{ key, mine, theirs: undefined }]);
    expect(grantConflicts(edits, STORED, [theirs])).toEqual([{ key, mine, theirs }]);
  });

  it('take away what ends sooner or immediately, not what has ended', () => {
    const old = grant('old@acme.example', NOW - 1);
    const stored = [...STORED, old];
    const edits = ['bob@acme.example', 'old@acme.example'].reduce(
      (before, name) => withoutGrant(before, stored, `user ${name}`),
      withGrant(NO_GRANT_EDITS, grant('ann@acme.example', 4_000)),
    );
    expect(lossesOfGrants(stored, edits, NOW)).toEqual({
      removed: [BOB],
      sooner: [grant('ann@acme.example', 4_000)],
    });
    const later = withGrant(NO_GRANT_EDITS, grant('bob@acme.example', 9_000));
    expect(lossesOfGrants(stored, later, NOW)).toEqual({ removed: [], sooner: [] });
  });
});
