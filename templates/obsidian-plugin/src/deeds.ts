/**
 * What the commands write: one property of a note of one type.
 *
 * What a word means, whether it is allowed and what follows is not known here: `vaultmem sync`
 * reads the note, as if the person had typed the property.
 */

import type { Properties } from "./places.ts";
import type { Value } from "./spelling.ts";

export interface Deed {
	readonly id: string;
	readonly name: string;
	/** The `type` of the notes for which the command is offered. */
	readonly type: "candidate" | "memory" | "patch" | "promotion";
	readonly key: string;
	readonly value: Value;
	/** Offered only where the property is there, or where it has, or has not, this value. */
	readonly only: "there" | { readonly is: Value } | { readonly not: Value };
}

/** A note that waits for a decision has the property; the day's note of decided patches has none. */
const decide = (type: Deed["type"], ...words: readonly string[]): Deed[] =>
	words.map((word) => ({
		id: `${word}-${type}`,
		name: `${word[0]?.toUpperCase() ?? ""}${word.slice(1)} this ${type}`,
		type,
		key: "decision",
		value: word,
		only: "there",
	}));

export const DEEDS: readonly Deed[] = [
	...decide("candidate", "approve", "reject", "defer"),
	...decide("patch", "apply", "reject", "defer"),
	...decide("promotion", "accept", "reject"),
	{ id: "pin", name: "Pin this memory", type: "memory", key: "pinned", value: true, only: { not: true } },
	{ id: "unpin", name: "Unpin this memory", type: "memory", key: "pinned", value: false, only: { is: true } },
	{ id: "contest", name: "Contest this memory", type: "memory", key: "status", value: "contested", only: { not: "contested" } },
	{ id: "uncontest", name: "Contest this memory no more", type: "memory", key: "status", value: "active", only: { is: "contested" } },
];

/** Whether the command is offered for a note with these properties. */
export function isOffered(deed: Deed, properties: Properties): boolean {
	if (properties["type"] !== deed.type) {
		return false;
	}
	if (deed.only === "there") {
		return deed.key in properties;
	}
	const now = properties[deed.key];
	return "is" in deed.only ? now === deed.only.is : now !== deed.only.not;
}
