/** A table as this browser sees it: one socket, opened again whenever it is lost. */

import { unfolded } from "./runs";
import type { Message, TableState, Thought } from "./types";

export interface Refusal {
  error: string;
  character: number | null;
}

const LONGEST_WAIT = 8000;

export class Connection {
  state = $state.raw<TableState | null>(null);
  thought = $state.raw<Thought | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  online = $state(false);
  /** Whether it was tried in vain. */
  lost = $state(false);
  missing = $state(false);
  host = $state(false);
  first = $state(false);
  second = $state(false);

  #socket: WebSocket | null = null;
  #closed = false;
  #wait = 250;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    readonly tokens: string[],
  ) {
    this.#open();
  }

  say(message: Record<string, unknown>): void {
    this.refusal = null;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  play(move: string): void {
    if (this.state) this.say({ type: "play", move, version: this.state.version });
  }

  /** Squares were touched that make no legal move: the server says why not. */
  ask(squares: number[]): void {
    if (this.state) this.say({ type: "why_not", squares, version: this.state.version });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/games/${encodeURIComponent(this.id)}/socket`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.online = true;
      this.lost = false;
      this.#wait = 250;
      const since = this.state?.version ?? null;
      socket.send(JSON.stringify({ type: "hello", tokens: this.tokens, since }));
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => {
      this.online = false;
      if (this.#closed) return;
      this.lost = true;
      void this.#again();
    };
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
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #hear(message: Message): void {
    switch (message.type) {
      case "welcome":
        ({ host: this.host, first: this.first, second: this.second } = message);
        break;
      case "state":
        if (this.state && message.version > this.state.version) this.refusal = null;
        this.state = unfolded(message);
        break;
      case "current":
        if (this.state) this.state = { ...this.state, ...message };
        break;
      case "thinking":
        this.thought = message;
        break;
      case "quiet":
        if (this.thought?.purpose === "review") this.thought = null;
        else if (this.thought && !this.thought.done) this.thought = { ...this.thought, done: true };
        break;
      case "refused":
        this.refusal = message;
        break;
    }
  }
}
