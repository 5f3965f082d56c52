/** What the reader wants to be called, on this browser. */

import { recall, remember } from "./storage";

const NAME = "zermelo.name";
export const LONGEST_NAME = 24;

/** A name as the server takes it; empty for none. */
export const fitting = (text: string): string =>
  [...text.replace(/\p{C}/gu, "").trim().replace(/\s+/g, " ")].slice(0, LONGEST_NAME).join("").trim();

export const nameOf = (): string => fitting(recall(NAME) ?? "");

export function rename(text: string): string {
  const name = fitting(text);
  remember(NAME, name);
  return name;
}
