import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as replays from "~/device/replays";
import { keepReplay, keptReplay, type KeptReplay } from "~/device/replays";
import * as http from "~/wire/http";
import type { ReplayData } from "~/wire/messages";
import { fromDevice, fromTable } from "./source";

const CURRENT = 2;

vi.mock("~/device/replays", async (original) => ({
  ...(await original<typeof replays>()),
  keepReplay: vi.fn(() => Promise.resolve()),
  keptReplay: vi.fn(),
}));
vi.mock("~/wire/http", async (original) => ({
  ...(await original<typeof http>()),
  replay: vi.fn(),
  replayRecord: vi.fn(),
}));

const data = (text: string): ReplayData => ({ text }) as unknown as ReplayData;
const table: KeptReplay = {
  ...{ id: "nupadure-1", source: { code: "nupadure", match: 1 }, record: null },
  ...{ data: data("kept"), kept: 7, format: CURRENT },
};
const file: KeptReplay = { ...table, id: "ff", source: null, record: "a record" };

const keep = (replay: KeptReplay | undefined) => vi.mocked(keptReplay).mockResolvedValue(replay);
const old = (replay: KeptReplay): KeptReplay => ({ ...replay, format: undefined! });

beforeEach(() => {
  vi.clearAllMocks();
  vi.mocked(http.replay).mockResolvedValue(data("told anew"));
  vi.mocked(http.replayRecord).mockResolvedValue(data("judged anew"));
});

describe("what is kept on the device", () => {
  it.each([undefined, table, file])("is shown as it is", async (kept) => {
    keep(kept);
    await expect(fromDevice("any")).resolves.toEqual(kept);
    expect(http.replay).not.toHaveBeenCalled();
  });

  it.each([
    [old(table), "told anew"],
    [old(file), "judged anew"],
  ])("by an older page is asked for anew, and kept so", async (kept, text) => {
    keep(kept);
    const renewed = { ...kept, data: data(text) };
    await expect(fromDevice(kept.id)).resolves.toEqual(renewed);
    expect(keepReplay).toHaveBeenCalledExactlyOnceWith(renewed);
  });

  it("by an older page can not be shown while the server is out of reach", async () => {
    keep(old(table));
    vi.mocked(http.replay).mockRejectedValue(new TypeError("no line"));
    await expect(fromDevice(table.id)).rejects.toThrow("no line");
    await expect(fromTable("nupadure", 1)).rejects.toThrow("no line");
  });

  it("stands in for the server", async () => {
    keep(table);
    vi.mocked(http.replay).mockRejectedValue(new TypeError("no line"));
    await expect(fromTable("nupadure", 1)).resolves.toEqual(table);
  });
});
