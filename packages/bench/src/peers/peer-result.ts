import type { Peer, PeerFormat } from './peer.ts';

export type { PeerFormat } from './peer.ts';

/** Medians of one way to get the table out. */
export interface PeerResult {
  readonly peer: Pick<Peer, 'name' | 'version' | 'transport' | 'caveat'>;
  readonly figures: Readonly<Partial<Record<PeerFormat, PeerFigures>>>;
}

export interface PeerFigures {
  readonly rowsPerSecond: number;
  /** Processor time of a million rows. */
  readonly cpuSeconds: number;
}
