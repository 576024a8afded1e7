import { flushSync } from "svelte";
import { expect, it } from "vitest";
import { language, loadWords, speak, t } from "./words.svelte";

/** How often something runs that is run again whenever what it reads has changed. */
function watch(read: () => unknown): { runs: number; stop: () => void } {
  const watched = { runs: 0, stop: () => {} };
  watched.stop = $effect.root(() => {
    $effect(() => {
      read();
      watched.runs++;
    });
  });
  flushSync();
  return watched;
}

it("whoever asks for words is not run again when they arrive; whoever reads them is", async () => {
  await speak("en");
  const asking = watch(() => [language(), loadWords("dash")]);
  const reading = watch(() => t("dash.open"));
  await loadWords("dash");
  flushSync();
  expect([asking.runs, reading.runs]).toEqual([1, 2]);
  await speak("de");
  flushSync();
  expect([asking.runs, reading.runs]).toEqual([2, 3]);
  asking.stop();
  reading.stop();
});
