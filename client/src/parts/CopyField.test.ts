import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { speak } from "~/words/words.svelte";
import CopyField from "./CopyField.svelte";

beforeEach(() => speak("en"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function copy(clipboard: object | undefined, command: () => boolean) {
  vi.stubGlobal("navigator", { clipboard });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the way of plain lines
  document.execCommand = command;
  render(CopyField, { value: "https://table.example/t/nupadure", label: "Link" });
  await fireEvent.click(screen.getByRole("button"));
}

it("copies by the clipboard", async () => {
  const writeText = vi.fn(async () => undefined);
  await copy({ writeText }, () => false);
  expect(writeText).toHaveBeenCalledWith("https://table.example/t/nupadure");
  await screen.findByRole("button", { name: "Copied" });
});

it("copies the old way where there is none", async () => {
  await copy(undefined, () => true);
  await screen.findByRole("button", { name: "Copied" });
});

it("does not pretend: the text is marked to be copied by hand", async () => {
  await copy(undefined, () => false);
  const field = screen.getByLabelText<HTMLInputElement>("Link");
  expect(field.selectionEnd).toBe(field.value.length);
  expect(screen.getByRole("button", { name: "Copy" })).toBeTruthy();
});
