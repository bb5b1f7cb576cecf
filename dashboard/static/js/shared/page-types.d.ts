/**
 * Types of the scripts alone: what pages make of frames and messages, and hand each other.
 */

import { Hello, MergePatch, Named, Patch, Player, Pong } from "./frames";
import { Ack, Command as SentCommand, Observations } from "./messages";

/** What a page's template says of it, as data- attributes of its root (dashboard/templates). */
export type PageData = { [name: string]: string };
/** The time of the channel that a page hears. */
export type Now = () => number;
/** A player with the number of the player. */
export type Seated = Named & { number: Player };

export type Snapshot<F> = { type: "snapshot"; epoch: string; seq: number; frame: F | null };
export type LinkMessage<F> = Hello | Pong | Snapshot<F> | Patch;

export type Side = "L" | "R";

/** What a device has to tell: the type of an event and its data (docs/wire.md). */
export type Told = {
  [Type in keyof Observations]: [type: Type, data: Observations[Type]];
}[keyof Observations];

export type Command = { type: "command"; args: Record<string, any> } & Omit<SentCommand, "args">;

export type DeviceMessage =
  | { type: "bus"; connected: boolean }
  | ({ type: "ack" } & Ack)
  | { type: "time"; t: number; received: number; sent: number }
  | { type: "taken" }
  | Command;
