/** Light, dark, or what the system says. */

import { recall, remember } from "./storage";

export type Theme = "auto" | "light" | "dark";
const NAME = "zermelo.theme";

function stored(): Theme {
  const value = recall(NAME);
  return value === "light" || value === "dark" ? value : "auto";
}

class ThemeChoice {
  value = $state<Theme>(stored());

  constructor() {
    this.show();
  }

  next(): void {
    const order: Theme[] = ["auto", "light", "dark"];
    this.value = order[(order.indexOf(this.value) + 1) % order.length] ?? "auto";
    remember(NAME, this.value);
    this.show();
  }

  show(): void {
    if (this.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.value;
  }
}

export const theme = new ThemeChoice();
