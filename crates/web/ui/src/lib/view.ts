/** A table as its reader sees it, worked out from what the server says and what the reader does: no state, no words. */

import { arrowsOf, exactArrows, type Arrow } from "./arrows";
import type { Key } from "./i18n.svelte";
import { mustCapture } from "./look";
import { other, seating } from "./places";
import { botsAt, isAlone, isHuman, ownSide, plays, seatOf, type Rights } from "./seats";
import type { Exact, Move, SideName, Step, TableState, Thought, Turning, View } from "./types";
import { marksOf } from "./worth";

/** What a table is seen by. */
export interface Seen {
  game: TableState;
  rights: Rights;
  online: boolean;
  /** An earlier position that the reader looks at. */
  past: View | null;
  /** A position along a line that the reader points at. */
  step: Step | null;
  /** Squares chosen so far. */
  path: number[];
  thought: Thought | null;
  /** Whether the reader turned the board. */
  turned: boolean;
}

export interface TableView {
  view: View;
  own: SideName | null;
  plays: boolean;
  alone: boolean;
  bots: number;
  /** Whether it is the reader's turn. */
  mine: boolean;
  /** What the reader may play now. */
  moves: Move[];
  free: boolean;
  pass: Move | undefined;
  botsTurn: boolean;
  thinking: boolean;
  /** What is thought of a move, not of a whole game. */
  thought: Thought | null;
  hinting: boolean;
  exact: Exact | null;
  marks: Map<number, Turning>;
  arrows: Arrow[];
  below: SideName;
  flipped: boolean;
  last: number[];
  result: "won" | "lost" | "drawn" | null;
  /** What whoever is to move has to do. */
  task: Key;
  /** Why nothing is thought. */
  idle: Key;
}

/** Always the same lists: whoever watches them sees no change where there is none. */
export const NO_MOVES: Move[] = [];
const NO_SQUARES: number[] = [];
const NO_ARROWS: Arrow[] = [];

export function viewOf(seen: Seen): TableView {
  const { game, rights, past, step, turned } = seen;
  const view = past ?? game;
  const own = ownSide(rights);
  const alone = isAlone(game, rights);
  const mine = game.to_move !== null && rights[game.to_move];
  // Without a connection too: a move waits until there is one.
  const may = mine && !past;
  const moves = may ? game.moves : NO_MOVES;
  const botsTurn = game.to_move !== null && !isHuman(seatOf(game, game.to_move));
  const thinking = botsTurn && !game.paused;
  const thought = seen.thought?.purpose === "review" ? null : seen.thought;
  const marks = marksOf(game);
  const pass = moves.find((move) => move.squares.length === 0);
  return {
    view,
    own,
    plays: plays(rights),
    alone,
    bots: botsAt(game.seats),
    mine,
    moves,
    free: may && game.free,
    pass,
    botsTurn,
    thinking,
    thought,
    hinting: isHint(thought, game) && !thought?.done,
    exact: view.exact,
    marks,
    arrows: step ? NO_ARROWS : adviceOf(view, past === null && isHint(thought, game) ? thought : null, marks),
    ...seating(game.board, own, turned),
    last: step ? step.squares : (game.line[view.ply - 1]?.squares ?? NO_SQUARES),
    result: resultOf(game, own),
    task: taskOf(seen, moves, pass),
    idle: game.outcome
      ? "think.over"
      : thinking
        ? "think.soon"
        : mine && alone && !past
          ? "think.nothing"
          : "think.idle",
  };
}

const isHint = (thought: Thought | null, game: TableState): boolean =>
  thought?.purpose === "hint" && thought.version === game.version;

/** What a table says of each move, or a hint advises here; in an earlier position, what would have been better. */
function adviceOf(view: View, hint: Thought | null, marks: Map<number, Turning>): Arrow[] {
  if (view.exact && view.to_move) return exactArrows(view.exact, view.to_move);
  const better = marks.get(view.ply + 1)?.better;
  if (better) return [{ squares: better.squares, rank: 1, verdict: null }];
  return hint ? arrowsOf(hint) : NO_ARROWS;
}

/** How it ended for the reader; whoever looks on sees a win. */
export function resultOf(game: Pick<TableState, "outcome">, own: SideName | null): TableView["result"] {
  const value = game.outcome?.value;
  if (!value) return null;
  if (value === "draw") return "drawn";
  return own === other(value) ? "lost" : "won";
}

function taskOf({ game, path }: Seen, moves: Move[], pass: Move | undefined): Key {
  if (path.length > 0) return "turn.target";
  if (pass && moves.length === 1) return "turn.pass";
  if (moves.some((move) => mustCapture(game.look, move.text))) return "turn.capture";
  return moves.some((move) => move.squares.length > 1) ? "turn.piece" : "turn.place";
}
