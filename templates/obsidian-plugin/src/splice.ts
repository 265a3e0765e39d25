/**
 * Sets one property of a note by replacing only the characters of its value.
 *
 * Every other character keeps its place: comments, quotes, line ends, the style of lists, the body.
 * The block is parsed before and after, and unless every other property kept its value, and this one
 * has the new one, the note is left as it was. Where the place of a value is not plain to see the
 * change is refused; it is never guessed.
 */

import { RefusedError } from "./refused.ts";
import { spell, type Value } from "./spelling.ts";

/** Reads the text of a block as Obsidian does; throws where it is no YAML. */
export type Parse = (yaml: string) => unknown;

/** A note's block: where it lies in the text, and its properties. */
export interface Block {
	/** Of the first character behind the opening fence's line. */
	readonly start: number;
	/** Of the closing fence. */
	readonly end: number;
	readonly eol: string;
	readonly properties: ReadonlyMap<string, unknown>;
}

interface Line {
	/** Offset in the block. */
	readonly at: number;
	/** Without its line end. */
	readonly text: string;
}

interface Span {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** Characters of a block; vaultmem's own limit (256 KiB). */
const MAX_BLOCK = 256 * 1024;
/** Brackets within brackets; vaultmem's own limit. */
const MAX_DEPTH = 100;

const OPEN = /^\uFEFF?---[ \t]*(\r?\n)/;
/** No `m`: it would also take U+2028 and a lone carriage return for ends of lines. */
const CLOSE = /(?<=\n)---[ \t]*(?:\r?\n|$)/g;
const SOURCE_MODE = "Correct it in Obsidian's source mode, then run the command again.";
const BY_HAND = "Make the change by hand in Obsidian's source mode.";
const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#&*!|>%@`[\]{},?:-][^#]*?|[?:-][^\s#][^#]*?))[ \t]*:(?=[ \t]|$)/;
const CONTINUED = /^(?:[ \t]+[^ \t]|-(?:[ \t]|$))/;
const COMMENT = /(?:^|[ \t])#/;
const COMMENT_OR_NOTHING = /^(?:#|$)/;
const BEFORE_COMMENT = /^[ \t]*(?:$|[ \t]#)/;
const MARKED = /(?:^|[\s[{,:])[&!]/;

/** The note with `key` set to `value`; the same text where it has that value already. */
export function setProperty(text: string, key: string, value: Value, parse: Parse): string {
	const block = readBlock(text, parse);
	if (block.properties.get(key) === value) {
		return text;
	}
	const inner = text.slice(block.start, block.end);
	const lines = linesOf(inner);
	const at = findLine(lines, key, block);
	const span = at === null ? added(inner, lines, key, value, block) : replaced(lines, at, value);
	const changed = text.slice(0, block.start) + inner.slice(0, span.start) + span.text + inner.slice(span.end) + text.slice(block.end);
	check(changed, block, key, value, parse, at === null ? null : at + 2);
	return changed;
}

/** Find and read the block between the fences; refuses what is not surely one. */
export function readBlock(text: string, parse: Parse): Block {
	const opening = OPEN.exec(text);
	if (opening === null) {
		throw new RefusedError("The first line does not open properties with `---`.", SOURCE_MODE, 1);
	}
	const start = opening[0].length;
	CLOSE.lastIndex = start;
	const closing = CLOSE.exec(text);
	if (closing === null) {
		throw new RefusedError("No line `---` closes the properties.", "Add one after the last property.", 1);
	}
	const inner = text.slice(start, closing.index);
	refuseOdd(inner);
	return { start, end: closing.index, eol: opening[1] ?? "\n", properties: parsed(inner, parse) };
}

/** Refuse what Obsidian may read and others not, or what would cost too much to read. */
function refuseOdd(inner: string): void {
	if (inner.length > MAX_BLOCK) {
		throw new RefusedError("The properties are larger than 256 KiB.", "Move text from them into the note.", 1);
	}
	let depth = 0;
	linesOf(inner).forEach(({ text }, number) => {
		if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) {
			throw new RefusedError("A control character stands in the properties.", SOURCE_MODE, number + 2);
		}
		if (text.startsWith("%") || /^(?:<{7}|={7}|>{7}|\|{7})(?:\s|$)/.test(text)) {
			throw new RefusedError("A line of the properties is none of a property.", SOURCE_MODE, number + 2);
		}
		for (const one of text) {
			depth += "[{".includes(one) ? 1 : "]}".includes(one) ? -1 : 0;
			if (depth > MAX_DEPTH) {
				throw new RefusedError("The properties are nested too deep.", SOURCE_MODE, number + 2);
			}
		}
	});
}

function parsed(inner: string, parse: Parse): ReadonlyMap<string, unknown> {
	let found: unknown;
	try {
		found = parse(inner) ?? {};
	} catch (error) {
		const said = error instanceof Error ? error.message.split("\n")[0] : "It is no YAML.";
		throw new RefusedError(`The properties cannot be read: ${said}`, SOURCE_MODE, lineOf(error));
	}
	if (typeof found !== "object" || found === null || Array.isArray(found)) {
		throw new RefusedError("What stands between the `---` are no properties.", SOURCE_MODE, 2);
	}
	return new Map(Object.entries(found));
}

/** The line of the note that a parser's error names, else the first of the block. */
function lineOf(error: unknown): number {
	const places = typeof error === "object" && error !== null && "linePos" in error ? error.linePos : null;
	const first: unknown = Array.isArray(places) ? places[0] : null;
	const line = typeof first === "object" && first !== null && "line" in first ? first.line : null;
	return typeof line === "number" ? line + 1 : 2;
}

function linesOf(inner: string): Line[] {
	const lines: Line[] = [];
	for (let at = 0; at < inner.length; ) {
		const next = inner.indexOf("\n", at);
		const end = next < 0 ? inner.length : next;
		lines.push({ at, text: inner.slice(at, end).replace(/\r$/, "") });
		at = end + 1;
	}
	return lines;
}

/** Which line holds the property, or null for none; both readings of the block have to agree. */
function findLine(lines: readonly Line[], key: string, block: Block): number | null {
	const names = lines.map(({ text }) => nameOf(text));
	const same = names.flatMap((name, number) => (name === key ? [number] : []));
	const second = same[1];
	if (second !== undefined) {
		throw new RefusedError(`\`${key}\` is there twice.`, "Remove one of the two.", second + 2);
	}
	refuseClash(names, [...block.properties.keys(), key]);
	const line = same[0];
	if ((line !== undefined) !== block.properties.has(key)) {
		throw new RefusedError(`\`${key}\` does not stand on a line \`${key}: …\` of its own.`, BY_HAND, (line ?? 0) + 2);
	}
	return line ?? null;
}

/** Obsidian takes names that differ only in case for the same. */
function refuseClash(lines: readonly (string | null)[], names: readonly string[]): void {
	const seen = new Map<string, string>();
	for (const name of names) {
		const other = seen.get(name.toLowerCase());
		if (other !== undefined && other !== name) {
			const line = Math.max(lines.indexOf(name), lines.indexOf(other));
			throw new RefusedError(`\`${other}\` and \`${name}\` differ only in case.`, "Keep one of the two names.", line + 2);
		}
		seen.set(name.toLowerCase(), name);
	}
}

function nameOf(line: string): string | null {
	const found = KEY.exec(line);
	return found === null ? null : (found[1] ?? found[2]?.replaceAll("''", "'") ?? found[3] ?? null);
}

function added(inner: string, lines: readonly Line[], key: string, value: Value, block: Block): Span {
	const odd = lines.findIndex(({ text }) => /^(?:[{[]|\.\.\.(?:\s|$))/.test(text));
	if (odd >= 0) {
		throw new RefusedError("Nothing can be added to these properties as they are written.", BY_HAND, odd + 2);
	}
	return { start: inner.length, end: inner.length, text: `${key}: ${spell(value)}${block.eol}` };
}

/** The characters of the value on that line, and of the lines below that belong to it. */
function replaced(lines: readonly Line[], number: number, value: Value): Span {
	const line = lines[number];
	const head = line === undefined ? null : KEY.exec(line.text);
	if (line === undefined || head === null) {
		throw new RefusedError("The property was not found again.", BY_HAND, number + 2);
	}
	const colon = head[0].length;
	const blanks = /^[ \t]*/.exec(line.text.slice(colon))?.[0].length ?? 0;
	const from = colon + blanks;
	const rest = line.text.slice(from);
	const isText = /^[|>]/.test(rest);
	const last = lastLine(lines, number, isText);
	if (isText || (COMMENT_OR_NOTHING.test(rest) && isList(lines, number, last))) {
		return below(lines, number, last, colon, value);
	}
	if (COMMENT_OR_NOTHING.test(rest) && last === number) {
		return { start: line.at + colon, end: line.at + colon, text: ` ${spell(value)}` };
	}
	if (/^[&!]/.test(rest)) {
		throw new RefusedError("The value has an anchor or a tag, to which others may refer.", BY_HAND, number + 2);
	}
	if (last !== number) {
		throw new RefusedError("The value goes over several lines.", BY_HAND, number + 2);
	}
	const length = valueLength(rest);
	if (length === null || MARKED.test(rest.slice(0, length))) {
		throw new RefusedError("Where the value ends is not plain to see.", BY_HAND, number + 2);
	}
	const quote = rest.startsWith('"') ? '"' : rest.startsWith("'") ? "'" : "";
	return { start: line.at + from, end: line.at + from + length, text: spell(value, quote) };
}

/** The last line that belongs to the property of a line; in a text (`|`, `>`) `#` is no comment. */
function lastLine(lines: readonly Line[], number: number, isText: boolean): number {
	let last = number;
	for (let at = number + 1; at < lines.length; at += 1) {
		const text = lines[at]?.text ?? "";
		const passes = text.trim() === "" || (/^[ \t]*#/.test(text) && !(isText && /^[ \t]/.test(text)));
		if (!passes && !CONTINUED.test(text) && !/^[\]}]/.test(text)) {
			break;
		}
		last = passes ? last : at;
	}
	return last;
}

/** Whether the first thing below the line is an item of a list. */
function isList(lines: readonly Line[], number: number, last: number): boolean {
	const first = lines.slice(number + 1, last + 1).find(({ text }) => !/^[ \t]*(?:#|$)/.test(text));
	return first !== undefined && /^[ \t]*-(?:[ \t]|$)/.test(first.text);
}

/** A list or text below the key goes; a comment in it would go too, so it is refused. */
function below(lines: readonly Line[], number: number, last: number, colon: number, value: Value): Span {
	for (let at = number; at <= last; at += 1) {
		const text = (lines[at]?.text ?? "").slice(at === number ? colon : 0);
		if (COMMENT.test(text)) {
			throw new RefusedError("A comment stands inside the value.", "Move the comment above the property.", at + 2);
		}
		if (MARKED.test(text)) {
			throw new RefusedError("The value has an anchor or a tag, to which others may refer.", BY_HAND, at + 2);
		}
	}
	const end = lines[last];
	const first = lines[number];
	if (end === undefined || first === undefined) {
		throw new RefusedError("The property was not found again.", BY_HAND, number + 2);
	}
	return { start: first.at + colon, end: end.at + end.text.trimEnd().length, text: ` ${spell(value)}` };
}

/** Characters of a value at the start of `rest`; null where that cannot be told. */
function valueLength(rest: string): number | null {
	const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(rest);
	if (/^["']/.test(rest)) {
		return quoted !== null && BEFORE_COMMENT.test(rest.slice(quoted[0].length)) ? quoted[0].length : null;
	}
	const alias = /^\*[^\s,[\]{}]+/.exec(rest);
	if (alias !== null) {
		return BEFORE_COMMENT.test(rest.slice(alias[0].length)) ? alias[0].length : null;
	}
	const plain = rest.replace(/[ \t]#[^]*$/, "").trimEnd();
	if (/^[[{]/.test(rest)) {
		// Only brackets that nothing else can be in: no quotes, no comment.
		const simple = /^(?:\[[^"'#]*\]|\{[^"'#]*\})$/.test(plain);
		return simple ? plain.length : null;
	}
	return plain.length;
}

/** Refuse unless the changed note differs from the old one in that property alone. */
function check(changed: string, before: Block, key: string, value: Value, parse: Parse, line: number | null): void {
	const after = readBlock(changed, parse);
	const others = (block: Block) => [...block.properties].filter(([name]) => name !== key);
	if (after.properties.get(key) !== value || !same(others(before), others(after))) {
		throw new RefusedError("This change would alter another property of the note.", BY_HAND, line);
	}
}

function same(one: unknown, other: unknown): boolean {
	if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) {
		return Object.is(one, other);
	}
	const [keys, others] = [Object.keys(one), Object.keys(other)];
	if (keys.length !== others.length || Array.isArray(one) !== Array.isArray(other)) {
		return false;
	}
	const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
	return keys.every((name, at) => name === others[at] && same(left.get(name), right.get(name)));
}
