/** Seats in the order of a number that each of them has, the least first; equal ones by their seats. */
export function seatsBy(numbers: readonly number[]): number[] {
  return numbers.map((_, seat) => seat).sort((one, other) => numbers[one]! - numbers[other]!);
}
