/** The words of the page in the reader's language. */

import { en } from "../messages/en";
import { BOOKLESS } from "./choice";
import { recall, remember } from "./storage";

type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
export type Key = keyof typeof en;
export type Messages = { [K in Key]: (typeof en)[K] extends string ? string : Plural };

export type Language = "en" | "pl" | "sk" | "sr" | "sr-Latn";

/** Each is loaded when it is chosen. */
const LOAD: Record<Language, () => Promise<Messages>> = {
  en: async () => en,
  pl: async () => (await import("../messages/pl")).pl,
  sk: async () => (await import("../messages/sk")).sk,
  sr: async () => (await import("../messages/sr")).sr,
  "sr-Latn": async () => inLatin((await import("../messages/sr")).sr),
};

export const LANGUAGES: [Language, string][] = [
  ["en", "English"],
  ["pl", "Polski"],
  ["sk", "Slovenčina"],
  ["sr", "Српски"],
  ["sr-Latn", "Srpski"],
];

/** Short enough for a narrow screen. */
export const codeOf = (language: Language): string => (language === "sr" ? "СР" : language.slice(0, 2).toUpperCase());

const NAME = "zermelo.language";

function preferred(): Language {
  const known = (text: string | null): Language | undefined =>
    LANGUAGES.map(([language]) => language).find((language) => language === text);
  const wishes = navigator.languages.map((wish) =>
    /^sr.*latn/i.test(wish) ? "sr-Latn" : (wish.split("-")[0] ?? null),
  );
  return known(recall(NAME)) ?? wishes.map(known).find((language) => language) ?? "en";
}

class Words {
  language = $state<Language>("en");
  #messages = $state.raw<Messages>(en);
  /** What the server refuses in English, and how it is said here; nothing in English. */
  errors = $state.raw<[RegExp, string][]>([]);

  constructor() {
    void this.choose(preferred(), false);
  }

  async choose(language: Language, kept = true): Promise<void> {
    if (kept) remember(NAME, language);
    [this.#messages, this.errors] = await Promise.all([LOAD[language](), errorsIn(language)]);
    this.language = language;
    document.documentElement.lang = language;
  }

  get keys(): Key[] {
    return Object.keys(this.#messages) as Key[];
  }

  has(key: string): key is Key {
    return key in this.#messages;
  }

  say(key: Key, values: Record<string, string | number> = {}): string {
    const found = this.#messages[key];
    let text: string;
    if (typeof found === "string") text = found;
    else {
      const rule = new Intl.PluralRules(this.language).select(Number(values.n));
      text = found[rule] ?? found.other;
    }
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }).format(value);
  }

  compact(value: number): string {
    const how: Intl.NumberFormatOptions = { notation: "compact", maximumFractionDigits: 1 };
    return new Intl.NumberFormat(this.language, how).format(value);
  }
}

const LETTERS: Record<string, string> = Object.fromEntries(
  "а:a б:b в:v г:g д:d ђ:đ е:e ж:ž з:z и:i ј:j к:k л:l љ:lj м:m н:n њ:nj о:o п:p р:r с:s т:t ћ:ć у:u ф:f х:h ц:c ч:č џ:dž ш:š"
    .split(" ")
    .map((pair) => pair.split(":")),
);

/** Serbian has two alphabets that agree letter by letter. */
export function latin(text: string): string {
  return text.replace(/[Ѐ-ӿ]/g, (letter) => {
    const small = LETTERS[letter.toLowerCase()] ?? letter;
    return letter === letter.toLowerCase() ? small : small.charAt(0).toUpperCase() + small.slice(1);
  });
}

function inLatin(messages: Messages): Messages {
  const one = (text: string | Plural): string | Plural =>
    typeof text === "string"
      ? latin(text)
      : (Object.fromEntries(Object.entries(text).map(([rule, form]) => [rule, latin(form)])) as Plural);
  const all = Object.entries(messages).map(([key, text]) => [key, one(text)]);
  return Object.fromEntries(all) as Messages;
}

async function errorsIn(language: Language): Promise<[RegExp, string][]> {
  if (language === "en") return [];
  const { ERRORS } = await import("../messages/errors");
  return ERRORS.map(([pattern, said]) => [pattern, language === "sr-Latn" ? latin(said.sr) : said[language]]);
}

export const words = new Words();
export const t = (key: Key, values?: Record<string, string | number>): string => words.say(key, values);

/** How strong a bot is: a level, a time for each move, or what else the server calls it. */
export function levelName(bot: string): string {
  const key = `level.${bot}`;
  if (words.has(key)) return words.say(key);
  const depth = /^depth=(\d+)$/.exec(bot);
  if (depth) return words.say("level.depths", { n: Number(depth[1]) });
  const time = /^time=([\d.]+)$/.exec(bot);
  return time ? words.say("level.time", { n: time[1] ?? "" }) : bot;
}

/** Whoever sits at a table, as the server writes it. */
export function seatText(seat: string): string {
  if (seat === "human") return t("seat.human");
  const [kind, who] = [seat.slice(0, seat.indexOf(":")), seat.slice(seat.indexOf(":") + 1)];
  if (kind === "engine") return `${t("seat.engine")} · ${who}`;
  const level = levelName(who.replace(BOOKLESS, ""));
  return `${t("seat.machine")} · ${level}${who.endsWith(BOOKLESS) ? ` (${t("level.bookless")})` : ""}`;
}

/** The name of a game in the reader's language, else as the server names it. */
export function gameName(name: string): string {
  const key = `game.${name}`;
  if (words.has(key)) return words.say(key);
  const family = name.split(":")[0] ?? name;
  const rest = name.includes(":") ? ` ${name.slice(name.indexOf(":") + 1).replaceAll(",", " ")}` : "";
  return words.has(`family.${family}`) ? familyName(family) + rest : name;
}

/** The name of a family in the reader's language, else its own. */
export function familyName(name: string): string {
  const key = `family.${name}`;
  return words.has(key) ? words.say(key) : name;
}

/** Family and game; once, where both are called the same. */
export const fullName = ({ family, name }: { family: string; name: string }): string =>
  [...new Set([familyName(family), gameName(name)])].join(" · ");
