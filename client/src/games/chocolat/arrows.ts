/** Arrow keys go from card to card within a group of buttons. */
export function arrowKeys(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  const to = step ? at + step : event.key === "Home" ? 0 : event.key === "End" ? buttons.length - 1 : null;
  if (at < 0 || to === null || !buttons[to]) return;
  event.preventDefault();
  buttons[to].focus();
}
