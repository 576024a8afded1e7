import { describe, expect, it } from "vitest";
import { spelled } from "~/words/code";
import { momentAt, routeOf, tidy } from "./route";
import { go, here } from "./router.svelte";

describe("an address", () => {
  it.each([
    ["/", "", { screen: "home" }],
    ["/t/nupadure", "", { screen: "table", code: "nupadure", pass: null }],
    ["/t/Nu-Pa-Du-Re", "", { screen: "table", code: "nupadure", pass: null }],
    ["/t/nupadure", "#pass=x_Y-1", { screen: "table", code: "nupadure", pass: "x_Y-1" }],
    ["/rules/buffet", "", { screen: "rules", game: "buffet", rule: null }],
    ["/rules/buffet", "#B12", { screen: "rules", game: "buffet", rule: "B12" }],
    ["/rules", "", { screen: "missing" }],
    ["/t/", "", { screen: "missing" }],
    ["/t/nupadure/more", "", { screen: "missing" }],
    ["/about", "", { screen: "missing" }],
    ["/results", "", { screen: "results" }],
    ["/replay", "", { screen: "replay", game: null, kept: null, moment: { at: 0, eyes: null }, check: false }],
    [
      "/replay",
      "#kept=x-1",
      { screen: "replay", game: null, kept: "x-1", moment: { at: 0, eyes: null }, check: false },
    ],
    [
      "/replay/NuPaDuRe/2",
      "#at=12&seat=1",
      { screen: "replay", game: { code: "nupadure", match: 2 }, kept: null, moment: { at: 12, eyes: 1 }, check: false },
    ],
    [
      "/replay/nupadure/2",
      "#check",
      {
        screen: "replay",
        game: { code: "nupadure", match: 2 },
        kept: null,
        moment: { at: 0, eyes: null },
        check: true,
      },
    ],
    [
      "/replay/nupadure/2",
      "#at=-1&seat=x",
      {
        screen: "replay",
        game: { code: "nupadure", match: 2 },
        kept: null,
        moment: { at: 0, eyes: null },
        check: false,
      },
    ],
    ["/replay/nupadure", "", { screen: "missing" }],
    ["/replay/nupadure/0", "", { screen: "missing" }],
    ["/replay/nupadure/2/3", "", { screen: "missing" }],
  ])("%s%s leads to a screen", (path, hash, route) => {
    expect(routeOf(path, hash)).toEqual(route);
  });

  it("may be broken", () => {
    expect(routeOf("/t/%E0%A4%A", "")).toEqual({ screen: "table", code: "", pass: null });
  });
});

describe("a code as people type it", () => {
  it.each(["nupadure", "NU PA DU RE", " nupa-dure ", "Nu\u2009pa\u00a0dure", "Nupa – Dure.", "ｎｕｐａ－ｄｕｒｅ"])(
    "%s",
    (typed) => {
      expect(tidy(typed)).toBe("nupadure");
    },
  );

  it("as it is shown", () => {
    expect(tidy(spelled("kafemulotabi"))).toBe("kafemulotabi");
  });
});

it("leads to a moment and back", () => {
  const address = momentAt({ code: "nupadure", match: 2 }, { at: 12, eyes: 0 });
  expect(address).toBe("/replay/nupadure/2#at=12&seat=0");
  expect(routeOf("/replay/nupadure/2", "#at=12&seat=0")).toMatchObject({ moment: { at: 12, eyes: 0 } });
  expect(momentAt({ code: "nupadure", match: 2 }, { at: 3, eyes: null })).toBe("/replay/nupadure/2#at=3");
});

it("goes to another screen", () => {
  go("/rules/dash#D6");
  expect(here()).toEqual({ screen: "rules", game: "dash", rule: "D6" });
  expect(location.pathname).toBe("/rules/dash");
});
