import { beforeEach, describe, expect, it, vi } from "vitest";
import { Playback, type Staging } from "~/table/playback.svelte";
import { TurnController } from "./turns.svelte";

interface View {
  seat: number | null;
  seats: readonly string[];
  to_act: readonly number[];
  legal: { do: "lay" }[];
  places?: readonly number[];
}
interface Entry {
  seat: number;
}

const LAY = { do: "lay" } as const;
const aView = (changes: Partial<View> = {}): View => ({
  ...{ seat: 2, seats: ["Ada", "Bo", "Cy", "Di"], to_act: [2], legal: [LAY] },
  ...changes,
});
const staging: Staging<View, Entry> = {
  unfold: (view, { seat }) => ({ ...view, to_act: view.to_act.filter((one) => one !== seat) }),
  pause: () => 1000,
  settle: (view) => view,
  since: () => 0,
};
const step = { type: "step", number: 1, at: 0, to_act: [], entries: [{ seat: 2 }] } as never;

const answers: ((accepted: boolean) => void)[] = [];
const act = vi.fn<(decision: typeof LAY) => Promise<boolean>>();

function atTable(seat: number | null, view = aView()) {
  const props = { playback: new Playback(staging, view), seat, view, act };
  return { props, turns: new TurnController<View, Entry>(() => props) };
}

beforeEach(() => {
  vi.useFakeTimers();
  answers.length = 0;
  act.mockReset().mockImplementation(() => new Promise((answer) => answers.push(answer)));
  return () => vi.useRealTimers();
});

describe("who sits where", () => {
  it.each([
    [2, 2, [3, 0, 1]],
    [0, 0, [1, 2, 3]],
  ])("seen by seat %i", (seat, near, others) => {
    const { turns } = atTable(seat);
    expect([turns.near, turns.others]).toEqual([near, others]);
  });

  it("is the same while the hand is covered, and from seat 0 for those who watch", () => {
    expect(atTable(null).turns.near).toBe(2);
    const { turns } = atTable(null, aView({ seat: null }));
    expect([turns.near, turns.mine]).toEqual([0, false]);
  });

  it("and who has won", () => {
    const { turns } = atTable(2, aView({ places: [2, 1, 3, 4] }));
    expect([0, 1, 2, 3].map(turns.wins)).toEqual([false, true, false, false]);
    expect(atTable(2).turns.wins(0)).toBe(false);
  });
});

describe("what is shown", () => {
  it("are the own cards as they were then, until it is skipped", () => {
    const { props, turns } = atTable(2);
    expect([turns.showing, turns.own, turns.mine]).toEqual([false, props.view, true]);
    props.playback.step(step);
    expect([turns.showing, turns.own]).toEqual([true, turns.picture]);
    expect(turns.picture.to_act).toEqual([]);
    turns.skip();
    expect([turns.showing, turns.own]).toEqual([false, props.view]);
  });

  it("is nothing of a seat that is not shown", () => {
    const { props, turns } = atTable(1);
    props.playback.step(step);
    expect([turns.showing, turns.own]).toEqual([false, props.view]);
  });
});

describe("a decision", () => {
  it("is sent once, until the table has answered and said what comes next", async () => {
    const first = aView();
    let view = $state.raw(first);
    const playback = new Playback(staging, first);
    const turns = new TurnController<View, Entry>(() => ({ playback, seat: 2, view, act }));
    const sent = turns.decide(LAY);
    expect([turns.sending, await turns.decide(LAY)]).toEqual([true, false]);
    answers[0]!(true);
    expect([await sent, turns.sending]).toEqual([true, true]);
    view = aView({ to_act: [3] });
    expect([turns.sending, act.mock.calls]).toEqual([false, [[LAY]]]);
  });

  it("can be tried again when it was refused", async () => {
    const { turns } = atTable(2);
    const sent = turns.decide(LAY);
    answers[0]!(false);
    expect([await sent, turns.sending]).toEqual([false, false]);
  });

  it("is none without something to decide", async () => {
    expect(await atTable(2).turns.decide(undefined)).toBe(false);
    expect(act).not.toHaveBeenCalled();
  });
});
