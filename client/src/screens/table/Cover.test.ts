import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { speak } from "~/words/words.svelte";
import Cover from "./Cover.svelte";

const names = ["Ada", "Bo", "Cy"];

beforeAll(() => speak("en"));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("asks for the next one, and lets each of them look", () => {
  const onuncover = vi.fn();
  const { getByRole } = render(Cover, { names, seats: [0, 1, 2], next: 1, onuncover });
  getByRole("region", { name: "Hand the device to Bo" });
  vi.advanceTimersByTime(600);
  getByRole("button", { name: "I’m Bo, show my cards" }).click();
  getByRole("button", { name: "I’m Cy, show my cards" }).click();
  expect(onuncover.mock.calls).toEqual([[1], [2]]);
});

it("is not opened by the tap that has laid the card before", () => {
  const onuncover = vi.fn();
  const { getByRole } = render(Cover, { names, seats: [1], next: 1, onuncover });
  vi.advanceTimersByTime(300);
  getByRole("button").click();
  expect(onuncover).not.toHaveBeenCalled();
});

it("is where keys go on, unless somebody is busy elsewhere", () => {
  const { getByRole } = render(Cover, { names, seats: [1], next: 1, onuncover: vi.fn() });
  expect(document.activeElement).toBe(getByRole("region"));
  cleanup();
  const input = document.body.appendChild(document.createElement("input"));
  input.focus();
  render(Cover, { names, seats: [1], next: 1, onuncover: vi.fn() });
  expect(document.activeElement).toBe(input);
  input.remove();
});
