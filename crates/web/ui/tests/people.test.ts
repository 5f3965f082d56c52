/** Clocks, names, seats and titles as the page works them out. */

import { expect, test } from "vitest";
import { clockText, isLow, leftOf, readControl, sinceParts, writeControl } from "../src/lib/clock";
import { accept, claimOf, inviteOf, keep, tokensOf } from "../src/lib/keys";
import { fitting, LONGEST_NAME } from "../src/lib/name";

test("only the clock that runs goes on, and not below nothing", () => {
  const heard = {
    reading: { control: "300+3", left: [20_000, 5_000] as [number, number], running: "second" as const },
    at: 1_000,
  };
  expect(leftOf(heard, "first", 9_000)).toBe(20_000);
  expect(leftOf(heard, "second", 4_000)).toBe(2_000);
  expect(leftOf(heard, "second", 99_000)).toBe(0);
});

test("clocks are written as people read them", () => {
  const texts = [3_600_000, 3_599_001, 600_000, 61_000, 60_999, 10_000, 9_999, 940, 0].map(clockText);
  expect(texts).toEqual(["1:00:00", "1:00:00", "10:00", "1:01", "1:01", "0:10", "9.9", "0.9", "0.0"]);
});

test("a clock is low in its last seconds", () => {
  expect(isLow(19_999, "300")).toBe(true);
  expect(isLow(20_000, "300")).toBe(false);
  expect(isLow(7_000, "1/30")).toBe(false);
  expect(isLow(5_000, "1/30")).toBe(true);
});

test("controls are read and written as the server does", () => {
  for (const text of ["300", "300+3", "1/30", "90+0.5"]) expect(writeControl(readControl(text))).toBe(text);
  for (const text of [null, "", "x", "40/60", "300+"]) expect(writeControl(readControl(text))).toBe(null);
  expect(readControl("1/30").kind).toBe("move");
});

test("how long somebody is away", () => {
  expect(sinceParts(12_400)).toEqual({ unit: "seconds", n: 12 });
  expect(sinceParts(61_000)).toEqual({ unit: "minutes", n: 1 });
  expect(sinceParts(7_200_000)).toEqual({ unit: "hours", n: 2 });
});

test("names are what the server takes", () => {
  expect(fitting("  Ana \t Marija ")).toBe("Ana Marija");
  expect(fitting("a\u202eb\u0007c\u200b")).toBe("abc");
  expect([...fitting("ж".repeat(40))]).toHaveLength(LONGEST_NAME);
  expect(fitting(" \n ")).toBe("");
});

test("a link to a seat is taken up with a key of this browser's own, always the same", () => {
  accept("game", "token");
  const key = claimOf("game");
  expect(key).toMatch(/^[0-9a-z]{26}$/);
  expect(tokensOf("game")).toEqual(["token", key]);
  accept("game", "token");
  expect(tokensOf("game")).toEqual(["token", key]);
  keep("other", "chess", ["host", "first"], { invite: "second" });
  expect([inviteOf("other"), claimOf("other"), claimOf("nothing")]).toEqual(["second", null, null]);
  expect(claimOf("game")).toBe(key);
});
