"""python-chess plays our UCI engine as its users would."""
import sys
import chess
import chess.engine
import chess.variant

engine = chess.engine.SimpleEngine.popen_uci([sys.argv[1], "engine", "chess"], timeout=30)
assert "Zermelo" in engine.id["name"], engine.id
engine.configure({"Hash": 8, "Threads": 1})

# A short game against ourselves, legal to its end.
board = chess.Board()
while not board.is_game_over(claim_draw=True) and board.ply() < 300:
    limit = chess.engine.Limit(nodes=300) if board.turn else chess.engine.Limit(depth=3)
    played = engine.play(board, limit, info=chess.engine.INFO_ALL)
    assert played.move in board.legal_moves
    board.push(played.move)
assert board.ply() > 20

# Mates, several lines, some moves only.
mate = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
info = engine.analyse(mate, chess.engine.Limit(depth=5))
assert info["score"].white() == chess.engine.Mate(1), info
# The line of a mate leads to it, for both sides; who is mated already hears so.
for fen, depth, score in [
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 8, chess.engine.Mate(3)),
    ("6k1/1R6/R7/8/8/8/8/6K1 b - - 0 1", 4, chess.engine.Mate(-1)),
]:
    board = chess.Board(fen)
    info = engine.analyse(board, chess.engine.Limit(depth=depth))
    assert info["score"].relative == score, info
    for move in info["pv"]:
        board.push(move)
    assert board.is_checkmate(), info
info = engine.analyse(board, chess.engine.Limit(depth=1))
assert info["score"].relative == chess.engine.Mate(0), info

# Chances, and less strength.
engine.configure({"UCI_ShowWDL": True})
info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4))
assert sum(info["wdl"].relative) == 1000, info
elo = engine.options["UCI_Elo"]
engine.configure({"UCI_ShowWDL": False, "UCI_LimitStrength": True, "UCI_Elo": elo.min})
assert engine.play(chess.Board(), chess.engine.Limit(time=5)).move
engine.configure({"UCI_LimitStrength": False})

lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
assert len({line["pv"][0] for line in lines}) == 3, lines
some = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
assert engine.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=some).move in some

# Clocks, time a move, pondering.
clock = chess.engine.Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01)
for ponder in (False, True):
    board = chess.Board()
    for _ in range(8):
        board.push(engine.play(board, clock, ponder=ponder).move)
assert engine.play(chess.Board(), chess.engine.Limit(time=0.05)).move

# Analysis until told.
with engine.analysis(chess.Board()) as analysis:
    for info in analysis:
        if info.get("depth", 0) >= 5:
            break

# Fischer's chess: castling is the king taking its rook.
fischer = chess.Board("bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1", chess960=True)
for _ in range(30):
    fischer.push(engine.play(fischer, chess.engine.Limit(nodes=200)).move)
castles = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
side = [chess.Move.from_uci("e1h1")]
assert engine.play(castles, chess.engine.Limit(depth=2), root_moves=side).move == side[0]

engine.quit()
print("all is well")
