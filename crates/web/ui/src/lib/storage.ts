/** What the browser remembers for the reader. One that refuses to keep anything remembers until it is closed. */

const refused = new Map<string, string>();

export function recall(name: string): string | null {
  try {
    return refused.get(name) ?? localStorage.getItem(name);
  } catch {
    return refused.get(name) ?? null;
  }
}

export function remember(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
    refused.delete(name);
  } catch {
    refused.set(name, text);
  }
}
