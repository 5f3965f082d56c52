/** Who sits at a table, and what the reader may do there. */

import type { SideName, TableState } from "./types";

/** What the reader's secrets allow. */
export interface Rights {
  host: boolean;
  first: boolean;
  second: boolean;
}

export const indexOf = (side: SideName): 0 | 1 => (side === "first" ? 0 : 1);

export const isHuman = (seat: string): boolean => seat === "human";

export const holds = (rights: Rights, side: SideName): boolean => rights[side];

/** Whether the reader plays at all. */
export const plays = ({ first, second }: Rights): boolean => first || second;

/** The one side that is the reader's; none of two, or of none. */
export const ownSide = ({ first, second }: Rights): SideName | null =>
  first === second ? null : first ? "first" : "second";

export const botsAt = (seats: [string, string]): number => seats.filter((seat) => !isHuman(seat)).length;

/** Whether nobody else has a say, as the server sees it. */
export function isAlone(game: Pick<TableState, "seats">, rights: Rights): boolean {
  const [one, two] = game.seats;
  if (botsAt(game.seats) === 2) return rights.host;
  return (!isHuman(one) || rights.first) && (!isHuman(two) || rights.second);
}

/** Who sits on a side. */
export const seatOf = (game: Pick<TableState, "seats">, side: SideName): string => game.seats[indexOf(side)];
