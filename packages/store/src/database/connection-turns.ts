interface Turn {
  start(): void;
}

/** Ends a turn. `isServed`: the server has replied, so that a longer wait was worth it. */
export type EndTurn = (isServed: boolean) => void;

export interface ConnectionTurns {
  /** Statements that wait for a turn. */
  readonly waiting: number;
  /** Waits for a turn of this group. Throws `busy` after the time limit if the server has replied meanwhile, else `silent`. */
  acquire(group: string): Promise<EndTurn>;
  /** Records a reply of the server to a statement without a turn. */
  noteReply(): void;
}

interface ConnectionTurnsOptions {
  /** Turns at the same time: the connections of the pool. */
  readonly max: number;
  readonly timeoutMs: number;
  readonly busy: () => Error;
  readonly silent: () => Error;
}

/**
 * Shares the connections of a pool among groups of statements. While all are in use, the groups take turns, so that a group with hundreds
 * of statements delays one of another group by about one statement. The pool itself would serve them in the order of their arrival.
 */
export function createConnectionTurns({ max, timeoutMs, busy, silent }: ConnectionTurnsOptions): ConnectionTurns {
  /** Waiting turns by group. The first group is the next one. */
  const groups = new Map<string, Set<Turn>>();
  let used = 0;
  let replies = 0;

  const remove = (group: string, turn: Turn): void => {
    const turns = groups.get(group);
    turns?.delete(turn);
    if (turns?.size === 0) groups.delete(group);
  };

  const startNext = (): void => {
    const [next] = groups;
    if (next === undefined) return;
    const [group, turns] = next;
    const [turn] = turns;
    // The group is last then, if it has more.
    groups.delete(group);
    if (turns.size > 1) groups.set(group, turns);
    if (turn === undefined) return;
    turns.delete(turn);
    turn.start();
  };

  const begin = (): EndTurn => {
    used += 1;
    return (isServed) => {
      used -= 1;
      if (isServed) replies += 1;
      startNext();
    };
  };

  const wait = (group: string): Promise<EndTurn> =>
    new Promise((resolve, reject) => {
      const repliesBefore = replies;
      const turn: Turn = {
        start() {
          clearTimeout(timer);
          resolve(begin());
        },
      };
      const timer = setTimeout(() => {
        remove(group, turn);
        reject(replies > repliesBefore ? busy() : silent());
      }, timeoutMs);
      const turns = groups.get(group);
      if (turns === undefined) groups.set(group, new Set([turn]));
      else turns.add(turn);
    });

  return {
    get waiting() {
      return [...groups.values()].reduce((sum, { size }) => sum + size, 0);
    },
    noteReply: () => {
      replies += 1;
    },
    acquire: async (group) => (used < max ? begin() : await wait(group)),
  };
}
