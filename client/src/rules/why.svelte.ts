/** "Why?": the rule behind something, opened from wherever it is asked. */

let asked = $state.raw<{ game: string; rule: string }>();

export const askedRule = () => asked;

export function why(game: string, rule: string): void {
  asked = { game, rule };
}

export function understood(): void {
  asked = undefined;
}
