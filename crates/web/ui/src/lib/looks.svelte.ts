/** Boards and pieces as the reader likes them; the colours are in `tokens.css`. */

import { recall, remember } from "./storage";

export const BOARDS = ["wood", "green", "blue", "grey"] as const;
export const PIECES = ["usual", "contrast", "red"] as const;
export type BoardTheme = (typeof BOARDS)[number];
export type PieceTheme = (typeof PIECES)[number];

class Looks {
  board = $state<BoardTheme>(BOARDS.find((one) => one === recall("zermelo.board")) ?? "wood");
  pieces = $state<PieceTheme>(PIECES.find((one) => one === recall("zermelo.pieces")) ?? "usual");

  constructor() {
    this.show();
  }

  choose(board: BoardTheme, pieces: PieceTheme): void {
    [this.board, this.pieces] = [board, pieces];
    remember("zermelo.board", board);
    remember("zermelo.pieces", pieces);
    this.show();
  }

  show(): void {
    Object.assign(document.documentElement.dataset, { board: this.board, pieces: this.pieces });
  }
}

export const looks = new Looks();
