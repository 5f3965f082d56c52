import { afterEach, expect, test, vi } from "vitest";
import { recall, remember } from "../src/lib/storage";

afterEach(() => vi.unstubAllGlobals());

test("what is remembered is recalled", () => {
  remember("a", "1");
  expect(recall("a")).toBe("1");
  expect(recall("never")).toBeNull();
});

test("a browser that throws at every touch of its storage is remembered for", () => {
  vi.stubGlobal("localStorage", {
    getItem() {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
    setItem() {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
  });
  expect(recall("b")).toBeNull();
  remember("b", "2");
  expect(recall("b")).toBe("2");
});

test("a full storage does not hide what was written last", () => {
  const held = new Map([["c", "old"]]);
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => held.get(name) ?? null,
    setItem() {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  remember("c", "new");
  expect(recall("c")).toBe("new");
});
