/**
 * Where the reader is: `#/`, `#/game/ID`, `#/history`, `#/history/ID`, `#/invent`, `#/invent/GAME`, `#/classic` or
 * `#/classic/ID`. A seat's secret may follow in a link; it is kept and taken off the address.
 */

import { accept, recallFromTab } from "./keys";

export type Route =
  | { page: "new" }
  | { page: "game"; id: string }
  | { page: "history" }
  | { page: "invent"; spec: string | null }
  | { page: "replay"; id: string }
  | { page: "classic"; id: string | null };

/** Whatever stands in a link, nothing fails over it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function read(): Route {
  const [, page, id, token] = location.hash.split("/");
  if (page === "invent") return { page: "invent", spec: id ? decoded(id) : null };
  if (page === "classic") return { page: "classic", id: id || null };
  if (page === "history") return id ? { page: "replay", id } : { page: "history" };
  if (page !== "game" || !id) return { page: "new" };
  if (token) {
    accept(id, token);
    history.replaceState(null, "", `#/game/${id}`);
  } else recallFromTab(id);
  return { page: "game", id };
}

class Place {
  now = $state.raw<Route>(read());

  constructor() {
    addEventListener("hashchange", () => {
      this.now = read();
      scrollTo(0, 0);
    });
  }
}

export const place = new Place();

export const go = (id?: string): void => {
  location.hash = id ? `#/game/${id}` : "#/";
};
