/** What the server really says, held against the types by the compiler. Written by `crates/web/src/typescript.rs`. */

import type { Family, ListedPage, Message, Preview } from "./types";

export const MESSAGES: Message[] = [
  {
    "first": true,
    "host": true,
    "second": false,
    "type": "welcome"
  },
  {
    "board": {
      "below": "first",
      "column_names": [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h"
      ],
      "columns": 8,
      "glyphs": "RNBQKBNRPPPP.PPP............P.......p...........pppp.ppprnbqkbnr",
      "last": [
        36
      ],
      "line": [],
      "numbers": null,
      "owners": "111111111111.111............1.......2...........2222.22222222222",
      "row_one": "bottom",
      "rows": 8
    },
    "can_redo": false,
    "can_undo": true,
    "check": null,
    "claimable": false,
    "clock": {
      "control": "300+3",
      "left": [
        298000,
        300000
      ],
      "running": "first"
    },
    "colours": [
      "White",
      "Black"
    ],
    "declined": [],
    "exact": null,
    "extension": "pgn",
    "family": "chess",
    "free": false,
    "game": "chess",
    "id": "game",
    "line": [
      {
        "notation": "e4",
        "side": "first",
        "squares": [
          12,
          28
        ],
        "text": "e2e4"
      },
      {
        "notation": "e5",
        "side": "second",
        "squares": [
          52,
          36
        ],
        "text": "e7e5"
      }
    ],
    "look": {
      "board": "chequered",
      "must_capture": "",
      "pieces": "chessmen",
      "shows_moves": false,
      "sides": [
        "light",
        "dark"
      ],
      "turns_over": false
    },
    "moves": [
      {
        "squares": [
          4,
          12
        ],
        "text": "e1e2"
      },
      {
        "squares": [
          1,
          16
        ],
        "text": "b1a3"
      },
      {
        "squares": [
          1,
          18
        ],
        "text": "b1c3"
      },
      {
        "squares": [
          6,
          12
        ],
        "text": "g1e2"
      },
      {
        "squares": [
          6,
          21
        ],
        "text": "g1f3"
      },
      {
        "squares": [
          6,
          23
        ],
        "text": "g1h3"
      },
      {
        "squares": [
          5,
          12
        ],
        "text": "f1e2"
      },
      {
        "squares": [
          5,
          19
        ],
        "text": "f1d3"
      },
      {
        "squares": [
          5,
          26
        ],
        "text": "f1c4"
      },
      {
        "squares": [
          5,
          33
        ],
        "text": "f1b5"
      },
      {
        "squares": [
          5,
          40
        ],
        "text": "f1a6"
      },
      {
        "squares": [
          3,
          12
        ],
        "text": "d1e2"
      },
      {
        "squares": [
          3,
          21
        ],
        "text": "d1f3"
      },
      {
        "squares": [
          3,
          30
        ],
        "text": "d1g4"
      },
      {
        "squares": [
          3,
          39
        ],
        "text": "d1h5"
      },
      {
        "squares": [
          8,
          16
        ],
        "text": "a2a3"
      },
      {
        "squares": [
          9,
          17
        ],
        "text": "b2b3"
      },
      {
        "squares": [
          10,
          18
        ],
        "text": "c2c3"
      },
      {
        "squares": [
          11,
          19
        ],
        "text": "d2d3"
      },
      {
        "squares": [
          13,
          21
        ],
        "text": "f2f3"
      },
      {
        "squares": [
          14,
          22
        ],
        "text": "g2g3"
      },
      {
        "squares": [
          15,
          23
        ],
        "text": "h2h3"
      },
      {
        "squares": [
          8,
          24
        ],
        "text": "a2a4"
      },
      {
        "squares": [
          9,
          25
        ],
        "text": "b2b4"
      },
      {
        "squares": [
          10,
          26
        ],
        "text": "c2c4"
      },
      {
        "squares": [
          11,
          27
        ],
        "text": "d2d4"
      },
      {
        "squares": [
          13,
          29
        ],
        "text": "f2f4"
      },
      {
        "squares": [
          14,
          30
        ],
        "text": "g2g4"
      },
      {
        "squares": [
          15,
          31
        ],
        "text": "h2h4"
      }
    ],
    "name": "chess",
    "next": null,
    "offer": {
      "side": "first",
      "what": "draw"
    },
    "offers": [
      [],
      []
    ],
    "opinions": [],
    "outcome": null,
    "pace": 400,
    "paused": false,
    "ply": 2,
    "position": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
    "review": null,
    "seats": [
      "human",
      "human"
    ],
    "tabled": false,
    "taken": [
      false,
      false
    ],
    "to_agree": null,
    "to_move": "first",
    "trouble": null,
    "type": "state",
    "version": 3,
    "warning": null
  },
  {
    "board": {
      "below": null,
      "column_names": [
        "a",
        "b",
        "c"
      ],
      "columns": 3,
      "glyphs": "oo.xxx...",
      "last": [],
      "line": [
        3,
        4,
        5
      ],
      "numbers": null,
      "owners": "22.111...",
      "row_one": "bottom",
      "rows": 3
    },
    "can_redo": false,
    "can_undo": true,
    "check": null,
    "claimable": false,
    "clock": {
      "control": "300+3",
      "left": [
        298000,
        300000
      ],
      "running": "first"
    },
    "colours": [
      "Black",
      "White"
    ],
    "declined": [],
    "exact": null,
    "extension": "sgf",
    "family": "mnk",
    "free": false,
    "game": "mnk:3x3,k=3",
    "id": "game",
    "line": [
      {
        "notation": "b2",
        "side": "first",
        "squares": [
          4
        ],
        "text": "b2"
      },
      {
        "notation": "a1",
        "side": "second",
        "squares": [
          0
        ],
        "text": "a1"
      },
      {
        "notation": "a2",
        "side": "first",
        "squares": [
          3
        ],
        "text": "a2"
      },
      {
        "notation": "b1",
        "side": "second",
        "squares": [
          1
        ],
        "text": "b1"
      },
      {
        "notation": "c2",
        "side": "first",
        "squares": [
          5
        ],
        "text": "c2"
      }
    ],
    "look": {
      "board": "paper",
      "must_capture": "",
      "pieces": "marks",
      "shows_moves": false,
      "sides": [
        "cross",
        "nought"
      ],
      "turns_over": false
    },
    "moves": [],
    "name": "tictactoe",
    "next": null,
    "offer": null,
    "offers": [
      [],
      []
    ],
    "opinions": [],
    "outcome": {
      "margin": null,
      "reason": "rules",
      "value": "first",
      "why": {
        "count": 3,
        "kind": "line"
      }
    },
    "pace": 400,
    "paused": false,
    "ply": 5,
    "position": ".../xxx/oo. o",
    "review": null,
    "seats": [
      "human",
      "bot:easy"
    ],
    "tabled": false,
    "taken": [
      false,
      false
    ],
    "to_agree": null,
    "to_move": null,
    "trouble": null,
    "type": "state",
    "version": 5,
    "warning": null
  },
  {
    "board": {
      "below": "first",
      "column_names": [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "i",
        "j"
      ],
      "columns": 10,
      "glyphs": "w w w w w  w w w w ww w w w w  w . w w w. . w . .  . . . . .b b b b b  b b b b bb b b b b  b b b b b",
      "last": [
        44
      ],
      "line": [],
      "numbers": [
        46,
        null,
        47,
        null,
        48,
        null,
        49,
        null,
        50,
        null,
        null,
        41,
        null,
        42,
        null,
        43,
        null,
        44,
        null,
        45,
        36,
        null,
        37,
        null,
        38,
        null,
        39,
        null,
        40,
        null,
        null,
        31,
        null,
        32,
        null,
        33,
        null,
        34,
        null,
        35,
        26,
        null,
        27,
        null,
        28,
        null,
        29,
        null,
        30,
        null,
        null,
        21,
        null,
        22,
        null,
        23,
        null,
        24,
        null,
        25,
        16,
        null,
        17,
        null,
        18,
        null,
        19,
        null,
        20,
        null,
        null,
        11,
        null,
        12,
        null,
        13,
        null,
        14,
        null,
        15,
        6,
        null,
        7,
        null,
        8,
        null,
        9,
        null,
        10,
        null,
        null,
        1,
        null,
        2,
        null,
        3,
        null,
        4,
        null,
        5
      ],
      "owners": "1.1.1.1.1..1.1.1.1.11.1.1.1.1..1...1.1.1....1...............2.2.2.2.2..2.2.2.2.22.2.2.2.2..2.2.2.2.2",
      "row_one": "bottom",
      "rows": 10
    },
    "can_redo": false,
    "can_undo": true,
    "check": null,
    "claimable": false,
    "clock": {
      "control": "300+3",
      "left": [
        298000,
        300000
      ],
      "running": "first"
    },
    "colours": [
      "White",
      "Black"
    ],
    "declined": [],
    "exact": null,
    "extension": "pdn",
    "family": "draughts",
    "free": false,
    "game": "draughts:international",
    "id": "game",
    "line": [
      {
        "notation": "32-28",
        "side": "first",
        "squares": [
          33,
          44
        ],
        "text": "32-28"
      }
    ],
    "look": {
      "board": "chequered",
      "must_capture": "x:",
      "pieces": "draughtsmen",
      "shows_moves": false,
      "sides": [
        "light",
        "dark"
      ],
      "turns_over": false
    },
    "moves": [
      {
        "squares": [
          62,
          51
        ],
        "text": "17-21"
      },
      {
        "squares": [
          64,
          53
        ],
        "text": "18-22"
      },
      {
        "squares": [
          66,
          55
        ],
        "text": "19-23"
      },
      {
        "squares": [
          68,
          57
        ],
        "text": "20-24"
      },
      {
        "squares": [
          60,
          51
        ],
        "text": "16-21"
      },
      {
        "squares": [
          62,
          53
        ],
        "text": "17-22"
      },
      {
        "squares": [
          64,
          55
        ],
        "text": "18-23"
      },
      {
        "squares": [
          66,
          57
        ],
        "text": "19-24"
      },
      {
        "squares": [
          68,
          59
        ],
        "text": "20-25"
      }
    ],
    "name": "draughts:international",
    "next": null,
    "offer": null,
    "offers": [
      [
        "undo",
        "draw"
      ],
      [
        "draw"
      ]
    ],
    "opinions": [],
    "outcome": null,
    "pace": 400,
    "paused": false,
    "ply": 1,
    "position": "B:W28,31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
    "review": null,
    "seats": [
      "human",
      "human"
    ],
    "tabled": false,
    "taken": [
      false,
      false
    ],
    "to_agree": null,
    "to_move": "second",
    "trouble": null,
    "type": "state",
    "version": 1,
    "warning": null
  },
  {
    "board": {
      "below": null,
      "column_names": [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "i",
        "j",
        "k",
        "l",
        "m",
        "n",
        "o",
        "p",
        "q",
        "r",
        "s",
        "t"
      ],
      "columns": 20,
      "glyphs": ". x .398",
      "last": [
        1
      ],
      "line": [],
      "numbers": null,
      "owners": ". 1 .398",
      "row_one": "bottom",
      "rows": 20
    },
    "can_redo": false,
    "can_undo": true,
    "check": null,
    "claimable": false,
    "clock": {
      "control": "300+3",
      "left": [
        298000,
        300000
      ],
      "running": "first"
    },
    "colours": [
      "Black",
      "White"
    ],
    "declined": [],
    "exact": null,
    "extension": "sgf",
    "family": "mnk",
    "free": true,
    "game": "mnk:20x20,k=5",
    "id": "game",
    "line": [
      {
        "notation": "b1",
        "side": "first",
        "squares": [
          1
        ],
        "text": "b1"
      }
    ],
    "look": {
      "board": "points",
      "must_capture": "",
      "pieces": "stones",
      "shows_moves": false,
      "sides": [
        "dark",
        "light"
      ],
      "turns_over": false
    },
    "moves": [],
    "name": "mnk:20x20,k=5",
    "next": null,
    "offer": null,
    "offers": [
      [
        "undo",
        "draw"
      ],
      [
        "draw"
      ]
    ],
    "opinions": [],
    "outcome": null,
    "pace": 400,
    "paused": false,
    "ply": 1,
    "position": null,
    "review": null,
    "seats": [
      "human",
      "human"
    ],
    "tabled": false,
    "taken": [
      false,
      false
    ],
    "to_agree": null,
    "to_move": "second",
    "trouble": null,
    "type": "state",
    "version": 1,
    "warning": null
  },
  {
    "clock": null,
    "exact": null,
    "opinions": [],
    "pace": 400,
    "paused": false,
    "review": null,
    "trouble": null,
    "type": "current",
    "version": 5
  },
  {
    "best": null,
    "depth": null,
    "done": false,
    "lines": [],
    "milliseconds": 0,
    "nodes": 0,
    "ply": 5,
    "progress": {
      "done": 3,
      "of": 6
    },
    "purpose": "review",
    "selective_depth": 0,
    "side": "first",
    "type": "thinking",
    "version": 5
  },
  {
    "names": [],
    "seats": [
      {
        "here": false,
        "left": null,
        "name": null
      },
      {
        "here": false,
        "left": null,
        "name": null
      }
    ],
    "type": "people",
    "watching": 1
  },
  {
    "type": "quiet"
  },
  {
    "character": null,
    "error": "no",
    "type": "refused"
  }
];

export const FAMILIES: Family[] = [
  {
    "name": "mnk",
    "summary": "k stones in a row win on a board of m rows and n columns",
    "variants": [],
    "parameters": [
      {
        "name": "size",
        "kind": {
          "type": "size",
          "low": 1,
          "high": 250,
          "sides": null,
          "square": false
        },
        "values": "rows x columns, 1x1 to 250x250",
        "default": null,
        "meaning": "the board"
      },
      {
        "name": "k",
        "kind": {
          "type": "number",
          "low": 1,
          "high": 250,
          "step": 1.0
        },
        "values": "k=N, 1 to 250",
        "default": null,
        "meaning": "so many in a row, column or diagonal win"
      },
      {
        "name": "p",
        "kind": {
          "type": "number",
          "low": 1,
          "high": 250,
          "step": 1.0
        },
        "values": "p=N, 1 to 250",
        "default": "1",
        "meaning": "stones in a turn"
      },
      {
        "name": "q",
        "kind": {
          "type": "number",
          "low": 1,
          "high": 250,
          "step": 1.0
        },
        "values": "q=N, 1 to 250",
        "default": "1",
        "meaning": "stones in the first player's first turn"
      },
      {
        "name": "win",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "more",
              "meaning": ""
            },
            {
              "name": "exact",
              "meaning": ""
            }
          ]
        },
        "values": "win=more or exact",
        "default": "more",
        "meaning": "whether more than k in a row win too, or exactly k only"
      },
      {
        "name": "gravity",
        "kind": {
          "type": "flag"
        },
        "values": "a flag",
        "default": "off",
        "meaning": "a stone falls to the lowest empty square of its column"
      },
      {
        "name": "holes",
        "kind": {
          "type": "squares"
        },
        "values": "holes=SQUARE+SQUARE+…",
        "default": "none",
        "meaning": "squares that are not part of the board"
      }
    ],
    "presets": [
      {
        "name": "tictactoe",
        "spec": "mnk:3x3,k=3",
        "summary": "three in a row on 3x3"
      },
      {
        "name": "gomoku",
        "spec": "mnk:15x15,k=5",
        "summary": "five or more in a row on 15x15"
      },
      {
        "name": "gomoku-standard",
        "spec": "mnk:15x15,k=5,win=exact",
        "summary": "exactly five in a row on 15x15"
      },
      {
        "name": "connect6",
        "spec": "mnk:19x19,k=6,p=2,q=1",
        "summary": "six in a row on 19x19, two stones a turn, the first turn one"
      },
      {
        "name": "connect4",
        "spec": "mnk:6x7,k=4,gravity",
        "summary": "four in a row, and stones fall down"
      }
    ],
    "games": [
      {
        "name": "tictactoe",
        "summary": "three in a row on 3x3",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "gomoku",
        "summary": "five or more in a row on 15x15",
        "steps": [
          135,
          191,
          215,
          220
        ]
      },
      {
        "name": "gomoku-standard",
        "summary": "exactly five in a row on 15x15",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "connect6",
        "summary": "six in a row on 19x19, two stones a turn, the first turn one",
        "steps": [
          263,
          708,
          173,
          250
        ]
      },
      {
        "name": "connect4",
        "summary": "four in a row, and stones fall down",
        "steps": [
          200,
          319,
          null,
          null
        ]
      }
    ]
  },
  {
    "name": "reversi",
    "summary": "Turn lines of the other's discs; the most discs win",
    "variants": [],
    "parameters": [
      {
        "name": "size",
        "kind": {
          "type": "size",
          "low": 4,
          "high": 8,
          "sides": [
            4,
            6,
            8
          ],
          "square": false
        },
        "values": "rows x columns, each 4, 6 or 8",
        "default": "8x8",
        "meaning": "the board"
      },
      {
        "name": "start",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "cross",
              "meaning": ""
            },
            {
              "name": "parallel",
              "meaning": ""
            }
          ]
        },
        "values": "start=cross or parallel",
        "default": "cross",
        "meaning": "the four discs at the start: each colour on a diagonal or on a row"
      }
    ],
    "presets": [
      {
        "name": "othello",
        "spec": "reversi:8x8",
        "summary": "Reversi as tournaments play it"
      }
    ],
    "games": [
      {
        "name": "othello",
        "summary": "Reversi as tournaments play it",
        "steps": [
          604,
          346,
          494,
          417
        ]
      },
      {
        "name": "reversi:6x6",
        "summary": "Turn lines of the other's discs; the most discs win",
        "steps": [
          null,
          null,
          null,
          null
        ]
      }
    ]
  },
  {
    "name": "draughts",
    "summary": "Jump over all of the other's pieces, or leave them no move",
    "variants": [
      {
        "name": "english",
        "summary": "American checkers: men capture forward, kings go one step"
      },
      {
        "name": "international",
        "summary": "10x10, flying kings, the most pieces must be taken"
      },
      {
        "name": "russian",
        "summary": "flying kings, a man that reaches the last row goes on as a king"
      },
      {
        "name": "brazilian",
        "summary": "international on 8x8"
      },
      {
        "name": "pool",
        "summary": "flying kings, any capture may be chosen"
      },
      {
        "name": "polish",
        "summary": "pool in which kings land where they like"
      },
      {
        "name": "italian",
        "summary": "men cannot capture kings, the most pieces must be taken"
      },
      {
        "name": "spanish",
        "summary": "men capture forward, flying kings, the most pieces and kings"
      },
      {
        "name": "czech",
        "summary": "men capture forward, flying kings, kings capture first"
      },
      {
        "name": "frisian",
        "summary": "10x10, captures along rows and columns too"
      }
    ],
    "parameters": [
      {
        "name": "size",
        "kind": {
          "type": "size",
          "low": 6,
          "high": 10,
          "sides": [
            6,
            8,
            10
          ],
          "square": true
        },
        "values": "6x6, 8x8 or 10x10",
        "default": "the variant's",
        "meaning": "the board"
      },
      {
        "name": "men",
        "kind": {
          "type": "number",
          "low": 1,
          "high": 4,
          "step": 1.0
        },
        "values": "men=N, 1 to 4",
        "default": "as many as fit with two rows left",
        "meaning": "rows of men at the start, at most one less than half the side"
      },
      {
        "name": "back",
        "kind": {
          "type": "switch"
        },
        "values": "back or back=no",
        "default": "the variant's",
        "meaning": "men capture backwards too"
      },
      {
        "name": "flying",
        "kind": {
          "type": "switch"
        },
        "values": "flying or flying=no",
        "default": "the variant's",
        "meaning": "kings go any distance"
      },
      {
        "name": "straight",
        "kind": {
          "type": "switch"
        },
        "values": "straight or straight=no",
        "default": "no; yes in frisian",
        "meaning": "captures go along rows and columns too"
      },
      {
        "name": "shielded",
        "kind": {
          "type": "switch"
        },
        "values": "shielded or shielded=no",
        "default": "no; yes in italian",
        "meaning": "men may not capture kings"
      },
      {
        "name": "landing",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "continue",
              "meaning": ""
            },
            {
              "name": "free",
              "meaning": ""
            }
          ]
        },
        "values": "landing=continue or free",
        "default": "continue; free in polish",
        "meaning": "after a capture a flying king lands where it can go on, or where it likes"
      },
      {
        "name": "majority",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "none",
              "meaning": ""
            },
            {
              "name": "quantity",
              "meaning": "the most pieces"
            },
            {
              "name": "quality",
              "meaning": "then the most kings"
            },
            {
              "name": "kings",
              "meaning": "the most pieces if a king captures"
            },
            {
              "name": "king",
              "meaning": "with a king if one can"
            },
            {
              "name": "italian",
              "meaning": ""
            },
            {
              "name": "frisian",
              "meaning": ""
            }
          ]
        },
        "values": "majority=none, quantity (the most pieces), quality (then the most kings), kings (the most pieces if a king captures), king (with a king if one can), italian or frisian",
        "default": "the variant's",
        "meaning": "which of several captures must be chosen"
      },
      {
        "name": "promote",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "end",
              "meaning": "only if the capture ends there"
            },
            {
              "name": "pass",
              "meaning": "at once and goes on as a king"
            },
            {
              "name": "stop",
              "meaning": "at once and stops"
            }
          ]
        },
        "values": "promote=end (only if the capture ends there), pass (at once and goes on as a king) or stop (at once and stops)",
        "default": "the variant's",
        "meaning": "when a man that reaches the last row in a capture becomes a king"
      },
      {
        "name": "restless",
        "kind": {
          "type": "switch"
        },
        "values": "restless or restless=no",
        "default": "no; yes in frisian",
        "meaning": "a king of a player with men may not go more than three times in a row without capturing"
      },
      {
        "name": "draw",
        "kind": {
          "type": "text",
          "example": "40-moves+3-fold"
        },
        "values": "draw=none, or parts joined by +: N-moves (of each side) or N-plies without a capture or a man's move, with -captureless behind it just without a capture; N-fold repetition; international, russian, pool or frisian for their endings with few pieces",
        "default": "the variant's",
        "meaning": "when the game is drawn"
      }
    ],
    "presets": [
      {
        "name": "checkers",
        "spec": "draughts:english",
        "summary": "American checkers"
      },
      {
        "name": "checkers-40-plies",
        "spec": "draughts:english,draw=40-plies-captureless",
        "summary": "American checkers, drawn after 40 plies without a capture"
      },
      {
        "name": "checkers-40-moves",
        "spec": "draughts:english,draw=40-moves-captureless",
        "summary": "American checkers, drawn after 40 moves of each side without a capture"
      }
    ],
    "games": [
      {
        "name": "draughts:english",
        "summary": "American checkers: men capture forward, kings go one step",
        "steps": [
          1040,
          590,
          463,
          176
        ]
      },
      {
        "name": "draughts:international",
        "summary": "10x10, flying kings, the most pieces must be taken",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:russian",
        "summary": "flying kings, a man that reaches the last row goes on as a king",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:brazilian",
        "summary": "international on 8x8",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:pool",
        "summary": "flying kings, any capture may be chosen",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:polish",
        "summary": "pool in which kings land where they like",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:italian",
        "summary": "men cannot capture kings, the most pieces must be taken",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:spanish",
        "summary": "men capture forward, flying kings, the most pieces and kings",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:czech",
        "summary": "men capture forward, flying kings, kings capture first",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "draughts:frisian",
        "summary": "10x10, captures along rows and columns too",
        "steps": [
          null,
          null,
          null,
          null
        ]
      }
    ]
  },
  {
    "name": "go",
    "summary": "Surround more of the board than the other; surrounded stones are captured",
    "variants": [],
    "parameters": [
      {
        "name": "size",
        "kind": {
          "type": "size",
          "low": 1,
          "high": 19,
          "sides": null,
          "square": false
        },
        "values": "rows x columns, 1x1 to 19x19",
        "default": "7x7",
        "meaning": "the board"
      },
      {
        "name": "ko",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "positional",
              "meaning": "none"
            },
            {
              "name": "situational",
              "meaning": "none with the same side to move"
            },
            {
              "name": "basic",
              "meaning": "any, but no stone may be retaken at once, and a board that comes back with the same side to move ends the game at 0"
            }
          ]
        },
        "values": "ko=positional (none), situational (none with the same side to move) or basic (any, but no stone may be retaken at once, and a board that comes back with the same side to move ends the game at 0)",
        "default": "positional",
        "meaning": "which boards may come back"
      },
      {
        "name": "suicide",
        "kind": {
          "type": "switch"
        },
        "values": "suicide or suicide=no",
        "default": "no",
        "meaning": "whether a stone may take its own chain off the board"
      },
      {
        "name": "scoring",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "area",
              "meaning": "stones and surrounded points"
            },
            {
              "name": "territory",
              "meaning": "surrounded points and prisoners"
            }
          ]
        },
        "values": "scoring=area (stones and surrounded points) or territory (surrounded points and prisoners)",
        "default": "area",
        "meaning": "what counts at the end"
      },
      {
        "name": "dead",
        "kind": {
          "type": "choice",
          "words": [
            {
              "name": "playout",
              "meaning": "those that random games from there capture"
            },
            {
              "name": "stay",
              "meaning": "none"
            }
          ]
        },
        "values": "dead=playout (those that random games from there capture) or stay (none)",
        "default": "playout",
        "meaning": "with scoring=territory: which stones are dead at the end"
      },
      {
        "name": "komi",
        "kind": {
          "type": "number",
          "low": -361,
          "high": 361,
          "step": 0.5
        },
        "values": "komi=N, -361 to 361, halves too",
        "default": "0",
        "meaning": "points that White gets"
      }
    ],
    "presets": [
      {
        "name": "go9",
        "spec": "go:9x9,komi=7",
        "summary": "Go on the small board"
      },
      {
        "name": "go13",
        "spec": "go:13x13,komi=7",
        "summary": "Go on the middle board"
      },
      {
        "name": "go19",
        "spec": "go:19x19,komi=7",
        "summary": "Go on the full board"
      },
      {
        "name": "tromp-taylor",
        "spec": "go:19x19,suicide=yes",
        "summary": "Go by the logical rules of Tromp and Taylor"
      },
      {
        "name": "japanese",
        "spec": "go:19x19,ko=basic,scoring=territory,komi=6.5",
        "summary": "Go with Japanese scoring"
      }
    ],
    "games": [
      {
        "name": "go9",
        "summary": "Go on the small board",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "go13",
        "summary": "Go on the middle board",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "go19",
        "summary": "Go on the full board",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "tromp-taylor",
        "summary": "Go by the logical rules of Tromp and Taylor",
        "steps": [
          null,
          null,
          null,
          null
        ]
      },
      {
        "name": "japanese",
        "summary": "Go with Japanese scoring",
        "steps": [
          null,
          null,
          null,
          null
        ]
      }
    ]
  },
  {
    "name": "chess",
    "summary": "Mate the other's king; Fischer random starts too",
    "variants": [],
    "parameters": [
      {
        "name": "fischer",
        "kind": {
          "type": "number",
          "low": 0,
          "high": 959,
          "step": 1.0
        },
        "values": "fischer=N, 0 to 959",
        "default": "the usual start",
        "meaning": "the start by its number in Scharnagl's list, where 518 is the usual one; castling is then written as king takes rook"
      }
    ],
    "presets": [],
    "games": [
      {
        "name": "chess",
        "summary": "Mate the other's king; Fischer random starts too",
        "steps": [
          676,
          512,
          494,
          545
        ]
      }
    ]
  }
];

export const PREVIEW: Preview = {
  "game": "mnk:6x7,k=4,gravity",
  "name": "connect4",
  "family": "mnk",
  "colours": [
    "Black",
    "White"
  ],
  "look": {
    "board": "rack",
    "pieces": "discs",
    "sides": [
      "red",
      "yellow"
    ],
    "must_capture": "",
    "turns_over": false,
    "shows_moves": false
  },
  "warning": null,
  "extension": "sgf",
  "book": false,
  "ply": 0,
  "position": "......./......./......./......./......./....... x",
  "board": {
    "rows": 6,
    "columns": 7,
    "row_one": "bottom",
    "column_names": [
      "a",
      "b",
      "c",
      "d",
      "e",
      "f",
      "g"
    ],
    "below": null,
    "numbers": null,
    "glyphs": "..........................................",
    "owners": "..........................................",
    "last": [],
    "line": []
  },
  "to_move": "first",
  "check": null,
  "moves": [
    {
      "text": "a1",
      "squares": [
        0
      ]
    },
    {
      "text": "b1",
      "squares": [
        1
      ]
    },
    {
      "text": "c1",
      "squares": [
        2
      ]
    },
    {
      "text": "d1",
      "squares": [
        3
      ]
    },
    {
      "text": "e1",
      "squares": [
        4
      ]
    },
    {
      "text": "f1",
      "squares": [
        5
      ]
    },
    {
      "text": "g1",
      "squares": [
        6
      ]
    }
  ],
  "free": false,
  "outcome": null,
  "claimable": false,
  "to_agree": null,
  "exact": null
};

export const HISTORY: ListedPage = {
  "games": [
    {
      "changed": 1794816420,
      "created": 1794816000,
      "family": "chess",
      "game": "chess",
      "id": "game",
      "margin": null,
      "name": "chess",
      "plies": 2,
      "reason": null,
      "seats": [
        "human",
        "human"
      ],
      "value": null
    },
    {
      "changed": 1794816420,
      "created": 1794816000,
      "family": "draughts",
      "game": "draughts:international",
      "id": "game",
      "margin": null,
      "name": "draughts:international",
      "plies": 1,
      "reason": null,
      "seats": [
        "human",
        "human"
      ],
      "value": null
    },
    {
      "changed": 1794816420,
      "created": 1794816000,
      "family": "mnk",
      "game": "mnk:20x20,k=5",
      "id": "game",
      "margin": null,
      "name": "mnk:20x20,k=5",
      "plies": 1,
      "reason": null,
      "seats": [
        "human",
        "human"
      ],
      "value": null
    },
    {
      "changed": 1794816420,
      "created": 1794816000,
      "family": "tictactoe",
      "game": "tictactoe",
      "id": "game",
      "margin": null,
      "name": "tictactoe",
      "plies": 5,
      "reason": "rules",
      "seats": [
        "human",
        "bot:easy"
      ],
      "value": "first"
    }
  ],
  "pages": 1,
  "total": 4
};
