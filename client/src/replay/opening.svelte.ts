/** A record on its way from a file to the screen that shows it. */

import { go } from "~/app/router.svelte";

let opened = $state.raw<File>();

export function openFile(file: File): void {
  opened = file;
  go("/replay");
}

/** The file that was opened last. */
export const openedFile = (): File | undefined => opened;

/** Files that are dragged over the page: is one of them to be let go here? */
export const carriesFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
