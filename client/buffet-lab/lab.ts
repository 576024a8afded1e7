import { mount } from "svelte";
import "../src/app.css";
import Lab from "./Lab.svelte";
import { applyLanguage, applyTheme, calm } from "~/device/settings.svelte";
import { Playback } from "~/table/playback.svelte";
import { screen } from "~/games/buffet";
applyTheme();
await applyLanguage();
const q = new URLSearchParams(location.search);
const n = Number(q.get("n") ?? 5), i = Number(q.get("i") ?? 0);
const game = await (await fetch(`/buffet-lab/game-${n}.json`)).json();
const first = Math.max(0, i - 14);
const heard: string[] = [];
const log = (window as any).log = [];
const pb: any = new Playback(screen.staging as any, game.steps[first].view, calm, (e: any) => log.push([performance.now(), e.do, e.seat]));
for (let k = first + 1; k <= i; k++) {
  pb.step({ number: k, entries: game.steps[k].entries });
  pb.settle(game.steps[k].view, k);
  pb.skip();
}
const at = q.get("at");
let view = game.steps[i].view;
if (at) {
  view = structuredClone(view);
  at.split(",").forEach((a, s) => { if (view.seats[s]) { if (a === "x") view.seats[s].racing = false; else { view.seats[s].racing = true; view.seats[s].at = Number(a); } } });
  pb.settle(view, i);
}
(window as any).lab = mount(Lab, { target: document.getElementById("table")!, props: { pb, game, i, view0: view, seat: q.get("seat") === "none" ? null : 0, n } });
