/** A table as this browser sees it: one socket, opened again whenever it is lost. Nothing is lost or done twice by that. */

import type { Heard } from "./clock";
import { t } from "./i18n.svelte";
import { nameOf } from "./name";
import { unfolded } from "./runs";
import type { Message, Presence, Refusal, Request, TableState, Thought } from "./types";

const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 15_000;
/** After so long a silence the server is asked whether it is there; after some more it is taken for gone. */
const SILENCE = 20_000;
const GONE = 30_000;
const OFTEN = 5_000;

/** A move that was made here and of which nothing was heard yet, after so many moves. */
interface Pending {
  move: string;
  ply: number;
}

export class Connection {
  state = $state.raw<TableState | null>(null);
  thought = $state.raw<Thought | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  clock = $state.raw<Heard | null>(null);
  people = $state.raw<{ seen: Presence; at: number } | null>(null);
  online = $state(false);
  /** Whether it was tried in vain. */
  lost = $state(false);
  missing = $state(false);
  host = $state(false);
  first = $state(false);
  second = $state(false);
  /** Whether somebody else has the seat that this browser came for. */
  taken = $state(false);
  /** Without a connection it waits until there is one again. */
  pending = $state.raw<Pending | null>(null);

  #socket: WebSocket | null = null;
  #closed = false;
  #wait = SHORTEST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;
  readonly #watch = setInterval(() => this.#check(), OFTEN);
  readonly #back = (): void => this.#now();
  readonly #away = (): void => this.#drop();

  constructor(
    readonly id: string,
    readonly tokens: string[],
    /** The key with which this browser takes a seat for good, if it came by a link. */
    readonly claim: string | null = null,
  ) {
    addEventListener("online", this.#back);
    addEventListener("offline", this.#away);
    this.#open();
  }

  say(request: Request): void {
    this.refusal = null;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
    else if (request.type !== "name") this.refusal = { error: t("send.lost"), character: null };
  }

  play(move: string): void {
    if (!this.state) return;
    const { version, ply } = this.state;
    this.refusal = null;
    if (this.online) this.say({ type: "play", move, version });
    if (!this.refusal) this.pending = { move, ply };
    if (!this.online) this.#now();
  }

  /** Squares were touched that make no legal move: the server says why not. */
  ask(squares: number[]): void {
    if (this.state) this.say({ type: "why_not", squares, version: this.state.version });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    removeEventListener("online", this.#back);
    removeEventListener("offline", this.#away);
    this.#socket?.close();
  }

  #open(): void {
    clearTimeout(this.#timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/games/${encodeURIComponent(this.id)}/socket`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => {
      const since = this.state?.version ?? null;
      const hello: Request = { type: "hello", tokens: this.tokens, since, name: nameOf() || null, claim: this.claim };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => {
      this.#heard = performance.now();
      this.#hear(JSON.parse(String(event.data)) as Message);
    };
    socket.onclose = () => this.#drop();
  }

  /** The socket is lost, or as good as lost: what still comes from it is not heard. */
  #drop(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.online = false;
    if (this.#closed) return;
    this.lost = true;
    void this.#again();
  }

  /** A socket does not say why it was not opened: ask in another way whether the game exists. */
  async #again(): Promise<void> {
    if (!this.state) {
      const answer = await fetch(`/api/games/${encodeURIComponent(this.id)}`).catch(() => null);
      if (answer?.status === 404) {
        this.missing = true;
        return;
      }
    }
    if (this.#closed || this.#socket) return;
    // Whoever was sent away together does not come back all at once.
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** The browser has found its network again, or somebody waits. */
  #now(): void {
    this.#wait = SHORTEST_WAIT;
    if (!this.#closed && !this.#socket && !this.missing) this.#open();
  }

  /** A network can go without a word. */
  #check(): void {
    if (!this.#socket) return;
    const silence = performance.now() - this.#heard;
    if (silence > GONE) this.#drop();
    else if (silence > SILENCE && this.state && this.#socket.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify({ type: "sync", version: this.state.version } satisfies Request));
  }

  /**
   * The server says how the game stands. After a silence a move that it has not heard of is sent; one that it has is not;
   * and one that came to nothing because the game went on is told.
   */
  #settle(again: boolean): void {
    const { state, pending } = this;
    if (!state || !pending) return;
    if (state.ply === pending.ply && !state.outcome) {
      if (again) this.play(pending.move);
      return;
    }
    this.pending = null;
    if (again && state.line[pending.ply]?.text !== pending.move)
      this.refusal = { error: t("send.late", { move: pending.move }), character: null };
  }

  #hear(message: Message): void {
    switch (message.type) {
      case "welcome":
        ({ host: this.host, first: this.first, second: this.second } = message);
        if (this.claim !== null) this.taken = !this.first && !this.second;
        break;
      case "state":
      case "current": {
        const again = !this.online;
        if (message.type === "state") {
          if (this.state && message.version > this.state.version) this.refusal = null;
          this.state = unfolded(message);
        } else if (this.state) this.state = { ...this.state, ...message };
        this.clock = message.clock && { reading: message.clock, at: performance.now() };
        [this.online, this.lost, this.#wait] = [true, false, SHORTEST_WAIT];
        this.#settle(again);
        break;
      }
      case "people":
        this.people = { seen: message, at: performance.now() };
        break;
      case "thinking":
        this.thought = message;
        break;
      case "quiet":
        if (this.thought?.purpose === "review") this.thought = null;
        else if (this.thought && !this.thought.done) this.thought = { ...this.thought, done: true };
        break;
      case "refused":
        this.pending = null;
        this.refusal = message;
        break;
    }
  }
}
