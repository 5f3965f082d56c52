/** What the modules of the page ask a browser for when they are loaded. */

const store = new Map<string, string>();
Object.assign(globalThis, {
  document: { documentElement: { lang: "", dataset: {} } },
  localStorage: {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, text: string) => void store.set(name, text),
  },
  addEventListener: () => undefined,
  location: { hash: "", host: "localhost", origin: "http://localhost", protocol: "http:" },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
