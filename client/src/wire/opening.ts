/**
 * How a line to a table is opened, also ahead of time: whoever opens the link of a table says hello while the rest of the
 * page is still on its way, and on a slow line that is a long moment.
 */

import type { Hello } from "./messages";

export interface Opening {
  socket: WebSocket;
  /** What has come so far, and when. */
  messages: { text: string; at: number }[];
}

/** If nobody has asked for it by then, nobody will. */
const UNUSED_MS = 30_000;

let ahead: (Opening & { address: string; hello: string }) | undefined;

export function addressOf(code: string): string {
  const { protocol, host } = location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/api/tables/${encodeURIComponent(code)}/socket`;
}

/** Whoever has no line yet wants to know what has happened in this game, too. */
export function helloOf(tokens: string[], after: number | null = null, epoch: string | null = null): string {
  const hello: Hello = { do: "hello", tokens, after, epoch, recall: after === null, views: true };
  return JSON.stringify(hello);
}

export function openAhead(code: string, tokens: string[]): void {
  const [address, hello] = [addressOf(code), helloOf(tokens)];
  const socket = new WebSocket(address);
  const messages: Opening["messages"] = [];
  socket.onopen = () => socket.send(hello);
  socket.onmessage = (event: MessageEvent<string>) => messages.push({ text: event.data, at: Date.now() });
  ahead = { address, hello, socket, messages };
  setTimeout(() => takeAhead("", ""), UNUSED_MS);
}

/** The line that was opened ahead with this very hello, once; a line that has broken since is nobody's. */
export function takeAhead(address: string, hello: string): Opening | undefined {
  const opening = ahead;
  ahead = undefined;
  const whole = opening && opening.socket.readyState <= WebSocket.OPEN;
  if (whole && opening.address === address && opening.hello === hello) return opening;
  opening?.socket.close();
  return undefined;
}
