/** Numbers as people write them: with a real minus sign. */

export const minus = (number: number): string => String(number).replace("-", "−");

/** A change: its sign is always shown. */
export const signed = (number: number): string => (number === 0 ? "±0" : number > 0 ? `+${number}` : minus(number));
