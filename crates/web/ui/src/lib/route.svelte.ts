/** Where the reader is: `#/`, `#/game/ID`, `#/history` or `#/history/ID`. A seat's secret may follow in a link; it is kept and taken off the address. */

import { keep } from "./keys";

export type Route = { page: "new" } | { page: "game"; id: string } | { page: "history" } | { page: "replay"; id: string };

function read(): Route {
  const [, page, id, token] = location.hash.split("/");
  if (page === "history") return id ? { page: "replay", id } : { page: "history" };
  if (page !== "game" || !id) return { page: "new" };
  if (token) {
    keep(id, "", [token]);
    history.replaceState(null, "", `#/game/${id}`);
  }
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
