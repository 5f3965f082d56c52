/** What the server refuses, in the reader's language; what is not known is shown as it came. */

import { words } from "./i18n.svelte";

export function errorText(text: string): string {
  for (const [pattern, said] of words.errors) {
    const found = pattern.exec(text);
    if (!found) continue;
    const parts = found.slice(1).filter((part) => part !== undefined);
    return said.replace(/\{(\w+)\}/g, (_, name: string) => (name === "text" ? text : (parts[Number(name)] ?? "")));
  }
  return text;
}
