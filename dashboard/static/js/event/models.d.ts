/** What the pages of the event are drawn from: made by dashboard/event/view.py. */
export interface EventGame {
  table: number | null;
  /** Who moves first is in front. */
  players: [number, number];
  scores: [number, number] | null;
}

export interface EventPlace {
  /** null: has left. */
  rank: number | null;
  id: number;
  name: string;
  wins: number;
  losses: number;
  spread: number;
}

export interface EventDivision {
  name: string;
  round: number;
  after: number;
  games: EventGame[];
  out: number[];
  standings: EventPlace[];
}

export interface EventModel {
  name: string;
  date: string;
  divisions: EventDivision[];
  usage?: string;
  games?: {
    table: number;
    game: string;
    players: string[];
    round: number | null;
    division: string;
  }[];
  orders?: { id: string; who: string; type: string; said: Record<string, unknown> }[];
}

export interface EventPreview {
  ok: boolean;
  reason: { text: string } | null;
  ranks: {
    division: string;
    id: number;
    name: string;
    rank: [number, number];
    wins: [number, number];
    spread: [number, number];
  }[];
  paired: { division: string; round: number }[];
  left_out: string[];
}

export interface EventPair {
  table: number;
  first: string;
  second: string;
  repeat: boolean;
  why: string;
}
