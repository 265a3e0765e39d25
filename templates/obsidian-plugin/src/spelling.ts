/**
 * How a new value is spelled on one line of YAML.
 *
 * Text is plain only where YAML 1.1 and 1.2 readers both take it for text, so that other tools agree
 * with Obsidian about what was written; else it stands in double quotes with JSON's escapes.
 */

export type Value = string | boolean;

/** What a reader of YAML 1.1 or 1.2 takes for something else than text. */
const OTHER_KINDS: readonly RegExp[] = [
	/^(?:y|n|yes|no|on|off|true|false|null|~|<<|=)$/i,
	/^[-+]?(?:0b[01_]+|0o[0-7]+|0[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?)$/i,
	/^[-+]?(?:[0-9_]*\.[0-9_]*|[0-9]+)(?:e[-+]?[0-9]+)?$/i,
	/^[-+]?\.(?:inf|nan)$/i,
];
const LIKE_DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?$/;
const DATE = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2})(?::([0-9]{2}))?)?$/;
const PLAIN = /^(?!-(?:[-\s]|$))[^\s?:,[\]{}#&*!|>'"%@`][^\n]*$/;
const NOT_PLAIN = /:(?:\s|$)|\s#|\s$|[\t\x7f]/;
const UNPRINTABLE = "\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff";
const NEEDS_ESCAPE = new RegExp(`[${UNPRINTABLE}]|\\p{Cs}`, "u");
const ESCAPED = new RegExp(`["\\\\${UNPRINTABLE}]`, "g");
const SHORT: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** A line of YAML that reads back as `value`, in the quotes that the old value had. */
export function spell(value: Value, quote: "" | "'" | '"' = ""): string {
	if (typeof value === "boolean") {
		return value ? "true" : "false";
	}
	if (quote === "'" && !NEEDS_ESCAPE.test(value)) {
		return `'${value.replaceAll("'", "''")}'`;
	}
	return quote === "" && isPlain(value) ? value : doubleQuoted(value);
}

function isPlain(text: string): boolean {
	const fits = PLAIN.test(text) && !NOT_PLAIN.test(text) && !NEEDS_ESCAPE.test(text);
	return fits && !OTHER_KINDS.some((kind) => kind.test(text)) && (!LIKE_DATE.test(text) || isDate(text));
}

/** Whether it is a real date or datetime in Obsidian's form, which is written plain. */
function isDate(text: string): boolean {
	const [, day, minute = "00:00", second = "00"] = DATE.exec(text) ?? [];
	const whole = `${day}T${minute}:${second}.000Z`;
	const moment = new Date(whole);
	return !Number.isNaN(moment.getTime()) && moment.toISOString() === whole;
}

function doubleQuoted(text: string): string {
	return `"${text.replace(ESCAPED, (one) => SHORT[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}
