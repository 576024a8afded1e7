export type Accessory =
  "chef" | "bow" | "glasses" | "scarf" | "flower" | "beret" | "leaves" | "headphones" | "tophat" | "bandana";

export interface Guest {
  /** The fur, also for everything else that belongs to this seat. */
  colour: string;
  /** Text and lines on `colour` (at least 4.5:1). */
  ink: string;
  /** Outline of the mouse. */
  line: string;
  accessory: Accessory;
}

/** By seat. The first six colours are Okabe and Ito's; no two guests share an accessory. */
export const GUESTS: readonly Guest[] = [
  { colour: "#e69f00", ink: "#241a12", line: "#7a4b00", accessory: "chef" },
  { colour: "#56b4e9", ink: "#14202b", line: "#1b5c8a", accessory: "bow" },
  { colour: "#009e73", ink: "#04140e", line: "#00513a", accessory: "glasses" },
  { colour: "#f0e442", ink: "#241f05", line: "#7d6d00", accessory: "scarf" },
  { colour: "#0072b2", ink: "#ffffff", line: "#003a66", accessory: "flower" },
  { colour: "#d55e00", ink: "#140700", line: "#702c00", accessory: "beret" },
  { colour: "#cc79a7", ink: "#21101a", line: "#7a3359", accessory: "leaves" },
  { colour: "#7a6a5c", ink: "#ffffff", line: "#40342a", accessory: "headphones" },
  { colour: "#f3e9d2", ink: "#241a12", line: "#806a45", accessory: "tophat" },
  { colour: "#4a4452", ink: "#ffffff", line: "#a99db5", accessory: "bandana" },
];

/** The guest at a seat; seats beyond the table's ten begin again. */
export function guest(seat: number): Guest {
  const n = GUESTS.length;
  return GUESTS[(((Math.trunc(seat) || 0) % n) + n) % n] as Guest;
}
