/**
 * The thin end of vaultmem in Pi: what happens goes to `vaultmem serve` as JSON lines, and what it
 * answers comes back. It knows nothing of memories but the literal block rules, which hold while
 * nothing answers. Every request has a time limit, and no handler throws. The messages are specified
 * in vaultmem's docs/reference/hook-protocol.md.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext, TurnEndEvent } from "@earendil-works/pi-coding-agent";

const VERSION = 1;
const MAX_LINE = 1024 * 1024;
/** Milliseconds: what an event may cost; a slow machine may need more. */
const LIMIT = Number(process.env["VAULTMEM_PI_LIMIT_MS"]) || 2000;
/** Until a new `serve` answers for the first time. */
const START_LIMIT = 2.5 * LIMIT;
/** Where a person or the model waits for the answer itself, as long as `serve` shows life. */
const LONG_LIMIT = Math.max(35_000, LIMIT);
/** A `serve` that was silent so long is replaced. */
const REPLACE_AFTER = 15 * LIMIT;
const END_LIMIT = 300;
/** Of a dialog that a program answers over RPC; a person at the terminal has all the time. */
const DIALOG_LIMIT = 120_000;
/** Characters of one text of a tool's result, and of one within a whole turn. */
const CUT = 20_000;
const CUT_TURN = 4_000;
/** Characters of a shell command that are judged; a longer one does not run. */
const MAX_COMMAND = 100_000;
const TOO_LONG = `vaultmem: not run, because a command of more than ${MAX_COMMAND} characters cannot be judged. Put its text into a file with the write tool, and use that file.`;
const MAX_OPEN = 50;

type Json = Record<string, unknown>;

export interface Rule {
	id: string;
	kind: string;
	needle: string;
	command?: boolean;
	reason: string;
}

interface Action {
	name: string;
	label: string;
	asks?: "confirm" | "text";
	prompt?: string;
	value?: string;
}

interface Row {
	id: string;
	label: string;
	detail: string[];
	actions: Action[];
}

export interface Panel {
	name: string;
	title: string;
	rows: Row[];
	more: number;
}

/** The results of all events; each has a few of these. */
interface Result {
	rules?: { version: string; block: Rule[]; result_seconds?: number };
	notices?: string[];
	panel?: Panel;
	sections?: Record<string, string>;
	block?: boolean;
	reason?: string;
	append?: string;
	messages?: { customType: string; content: string }[];
	retry?: boolean;
	text?: string;
	level?: "info" | "warning" | "error";
	is_error?: boolean;
}

/** A result, or the sentence of an error; nothing when nobody answered in time. */
type Answer = { result?: Result; error?: { code: string; message: string; remedy?: string } } | undefined;

interface Missed {
	call: string;
	tool: string;
	at: number;
	ended?: number;
}

interface Runtime {
	interpreter: string;
	arguments: string[];
}

interface Tools {
	tools: {
		name: string;
		label: string;
		description: string;
		promptSnippet?: string;
		promptGuidelines?: string[];
		parameters: Json;
	}[];
	commands: { name: string; description: string; arguments: string }[];
}

// ---------------------------------------------------------------------------------------- texts

/** A value whose texts are at most `limit` characters long. */
export function cut(value: unknown, limit: number, depth = 8): unknown {
	if (typeof value === "string") return value.slice(0, limit).toWellFormed();
	if (typeof value !== "object" || value === null) return value;
	if (depth === 0) return null;
	if (Array.isArray(value)) return value.slice(0, 1000).map((one) => cut(one, limit, depth - 1));
	return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one, limit, depth - 1)]));
}

/** One request as it is written, its texts cut harder if it is too long; nothing if it still is. */
export function requestLine(id: number, event: string, payload: Json): string | undefined {
	for (const limit of [MAX_LINE, 4096, 1000]) {
		const line = `${JSON.stringify({ v: VERSION, id, event, payload: cut(payload, limit) })}\n`;
		if (Buffer.byteLength(line) <= MAX_LINE) return line;
	}
	return undefined;
}

/** The text of a message, whose content is one or a list of parts. */
function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	const texts = content.map((part: Json) => (part?.["type"] === "text" ? String(part["text"] ?? "") : ""));
	return texts.filter((text) => text !== "").join("\n");
}

/** What a Pi without sections gets: the same text that one with sections makes of them. */
export function asPrompt(sections: Record<string, string>): string {
	return Object.entries(sections)
		.map(([name, text]) => `\n\n<${name}>\n${text}\n</${name}>`)
		.join("");
}

// ------------------------------------------------------------------------------------ citations

const MARK = /<(\/?)\s{0,8}vaultmem-citation\s{0,8}>/gi;
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*\n?$)|~{3,})/;
const ID = /^(?:mem_)?[0-7][0-9a-hjkmnp-tv-z]{25}$|^[0-9a-hjkmnp-tv-z]{8}$/i;
const BEGUN = /^(?:mem_)?[0-9a-hjkmnp-tv-z]{1,25}$|^m(?:em?)?$/i;

/** A reply without the blocks that cite memories; `core/citation.py` says the same at more length. */
export function withoutCitation(text: string, streaming = false): string {
	const cuts: [number, number][] = [];
	let [start, depth] = [0, 0];
	for (const mark of text.toLowerCase().includes("vaultmem-citation") ? marks(text) : []) {
		if (mark.closes) {
			if (depth > 0 && --depth === 0) cuts.push([start, mark.end]);
		} else if (depth++ === 0) start = mark.start;
	}
	if (depth > 0 && (streaming || holdsOnlyIds(text.slice(start)))) cuts.push([start, text.length]);
	const whole = cuts.length === 0 ? text : joined(text, cuts);
	const tail = whole.slice(whole.lastIndexOf("<")).toLowerCase();
	const begins = ["<vaultmem-citation", "</vaultmem-citation"].some((tag) => tail !== "" && tag.startsWith(tail));
	return streaming && begins ? whole.slice(0, -tail.length).trimEnd() : whole;
}

/** The tags that stand neither in code nor in a quotation. */
function marks(text: string): { start: number; end: number; closes: boolean }[] {
	const found = [];
	let [fence, place] = ["", 0];
	for (const line of text.split(/(?<=\n)/)) {
		const opens = FENCE.exec(line);
		if (fence !== "") {
			const closes = opens?.[1]?.startsWith(fence) && line.slice(opens[0].length).trim() === "";
			if (closes) fence = "";
		} else if (opens?.[1] !== undefined) fence = opens[1];
		else if (!/^ {0,3}>/.test(line)) {
			const spans = codeSpans(line).reverse();
			for (const mark of line.matchAll(MARK)) {
				while ((spans.at(-1)?.[1] ?? line.length) <= mark.index) spans.pop();
				const start = place + mark.index;
				const inCode = mark.index >= (spans.at(-1)?.[0] ?? line.length);
				if (!inCode) found.push({ start, end: start + mark[0].length, closes: mark[1] === "/" });
			}
		}
		place += line.length;
	}
	return found;
}

/** The code spans of a line: a run of backticks up to the next run of the same length. */
function codeSpans(line: string): [number, number][] {
	const ahead = new Map<number, number[]>();
	for (const run of [...line.matchAll(/`+/g)].reverse()) {
		const same = ahead.get(run[0].length);
		if (same) same.push(run.index);
		else ahead.set(run[0].length, [run.index]);
	}
	const spans: [number, number][] = [];
	let place = 0;
	for (const run of line.matchAll(/\\.|`+/g)) {
		if (run[0].startsWith("\\") || run.index < place) continue;
		const same = ahead.get(run[0].length) ?? [];
		while ((same.at(-1) ?? line.length) <= run.index) same.pop();
		const close = same.at(-1);
		if (close !== undefined) spans.push([run.index, (place = close + run[0].length)]);
	}
	return spans;
}

/** Whether a block that nothing closes holds only ids, the last of which may be cut off. */
function holdsOnlyIds(block: string): boolean {
	const bare = block.replace(/<\/?[a-z-]{0,20}$/i, "").replace(MARK, "\n");
	const words = bare.split(/[\s,;]+/).map((word) => word.replace(/^[[\]()`*"'•^#.-]+|[[\]()`*"'•^#.-]+$/g, ""));
	const named = words.filter((word) => word !== "");
	return named.every((word, at) => ID.test(word) || (at === named.length - 1 && BEGUN.test(word)));
}

function joined(text: string, cuts: [number, number][]): string {
	const kept: string[] = [];
	let place = 0;
	for (const [start, end] of cuts) {
		kept.push(text.slice(place, start).trimEnd());
		place = end;
	}
	const rest = text.slice(place);
	if (rest.trim() !== "") kept.push(rest.replace(/^[\r\n]+/, ""));
	return kept.filter((part) => part !== "").join("\n");
}

// ---------------------------------------------------------------------------------- block rules

const RUNS_TEXT = /^(?:.*\/)?(?:bash|sh|zsh|dash|ksh|fish|eval|ssh|su|watch|script|parallel)$/;
const HERE_DOCUMENT = /^(.*)<<-?[ \t]*(['"\\]?)(\w+)\2(.*)\n([^]*?)(?:\n?^\t*\3$|$(?![^]))/gm;
const TOKEN = /((?:[^\s'"\\;&|()`<>#]|\\[^]|'[^']*'?|"(?:[^"\\]|\\[^])*"?|(?<=\S)#)+)|([;&|()\n`])|#.*/g;
const QUOTED = /'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|\\([^])/g;

/** The first rule that a call breaks; what `core/enforcement` finds in calm, by rule of thumb. */
export function brokenRule(rules: Rule[], tool: string, input: Json): Rule | undefined {
	const command = commandOf(input);
	return rules.find((rule) => {
		if (rule.kind === "tool_name") return rule.needle === tool;
		if (rule.kind !== "bash_contains" || typeof command !== "string") return false;
		return rule.command ? runs(rule.needle, command) : mentions(rule.needle, command);
	});
}

/** What a tool would give to a shell. */
function commandOf(input: Json): string | undefined {
	return [input["command"], input["cmd"]].find((one) => typeof one === "string");
}

/** Whether a call holds a command that would be judged without its end: here, or cut for its line. */
export function isTooLong(input: Json): boolean {
	const command = commandOf(input);
	if (command === undefined) return false;
	const rest = JSON.stringify(cut(input, MAX_COMMAND));
	return command.length > MAX_COMMAND || Buffer.byteLength(rest) > 0.9 * MAX_LINE;
}

/** Whether a text has the needle as whole words, its white space being any. */
function mentions(needle: string, text: string): boolean {
	const words = needle.trim().split(/\s+/).map((word) => word.replace(/[^\w\s]/g, "\\$&"));
	const [before, after] = [/^[\w-]/.test(needle.trim()), /[\w-]$/.test(needle.trim())];
	return new RegExp(`${before ? "(?<![\\w-])" : ""}${words.join("\\s+")}${after ? "(?![\\w-])" : ""}`).test(text);
}

/** Whether a simple command is the needle: its subcommands in place, its other words anywhere behind. */
function runs(needle: string, text: string): boolean {
	const [name, ...wanted] = needle.trim().split(/\s+/).map(plain);
	return simpleCommands(text.slice(0, MAX_COMMAND)).some((words) =>
		words.some((word, at) => word.split("/").at(-1) === name && follow(wanted, words.slice(at + 1))),
	);
}

function follow(wanted: string[], words: string[]): boolean {
	const rest = [...words];
	return wanted.every((want, at) => {
		if (want.startsWith("-")) return hasOption(want, words);
		const found = rest.indexOf(want);
		const between = rest.splice(0, found + 1).slice(0, -1);
		const names = wanted.slice(0, at + 1).every((one) => /^[a-z][\w-]*$/i.test(one));
		const options = between.every((word, place) => word.startsWith("-") || between[place - 1]?.startsWith("-"));
		return found >= 0 && (options || !names);
	});
}

function hasOption(option: string, words: string[]): boolean {
	const short = words.filter((word) => /^-[a-z]{1,4}$/i.test(word)).join("");
	if (/^-[a-z]{1,4}$/i.test(option)) return [...option].every((letter) => short.includes(letter));
	return words.some((word) => word === option || word.startsWith(`${option}=`));
}

/** The words of each simple command; what is quoted is text, unless a shell runs it. */
function simpleCommands(text: string, depth = 4): string[][] {
	if (depth === 0) return [];
	const bare = text.replace(HERE_DOCUMENT, (_, before: string, _quote, _end, after: string, body: string) => {
		const read = `${before} ${after}`.split(/[\s|;&]+/).some((word) => RUNS_TEXT.test(word));
		return `${before}${after}\n${read ? body : ""}`;
	});
	const found: string[][] = [[]];
	const quoted: string[][] = [[]];
	for (const [, word, end] of bare.matchAll(TOKEN)) {
		if (end !== undefined) {
			found.push([]);
			quoted.push([]);
		} else if (word !== undefined) {
			found.at(-1)?.push(plain(word.replace(QUOTED, "$1$2$3")));
			for (const [, single, double] of word.matchAll(QUOTED)) quoted.at(-1)?.push(single ?? double ?? "");
		}
	}
	const inner = found.flatMap((words, at) => {
		const shell = words.some((word) => RUNS_TEXT.test(word));
		const run = (quoted[at] ?? []).filter((part) => shell || /\$\(|`/.test(part));
		return run.flatMap((part) => simpleCommands(part, depth - 1));
	});
	return [...found, ...inner];
}

/** A word as a path is written at its shortest: `./src/` is `src`, `./` is `.`. */
function plain(word: string): string {
	return word.replace(/(?<=[^/])\/+$/, "").replace(/^\.\/(?=[^/.])/, "");
}

// ---------------------------------------------------------------------------------------- serve

/** The Python process that answers; it is started when needed and ends with Pi. */
export class Serve {
	#child: ChildProcess | undefined;
	#waiting = new Map<number, (answer: Answer) => void>();
	#next = 1;
	#begun = 0;
	#heard = 0;
	#silent = false;
	#pause = 0;
	#ended = false;
	#errors = "";
	readonly #runtime: Runtime;
	readonly #cwd: string;
	readonly #hello: () => void;

	/**
	 * @param runtime How Python is started.
	 * @param cwd Its working folder.
	 * @param hello Called after each start, to send what a new process must know first.
	 */
	constructor(runtime: Runtime, cwd: string, hello: () => void) {
		this.#runtime = runtime;
		this.#cwd = cwd;
		this.#hello = hello;
	}

	/** Milliseconds in which an event may be answered: more where it was only just started. */
	get limit(): number {
		return this.#heard === 0 ? Math.max(LIMIT, this.#begun + START_LIMIT - Date.now()) : LIMIT;
	}

	/** What it said last on its standard error, for the person. */
	get errors(): string {
		return this.#errors.trim().slice(-300);
	}

	/**
	 * Ask, and wait at most `limit` milliseconds; `undefined` when nobody answered. After one silence
	 * nothing is waited for until it answers again, so that a hung process costs one limit.
	 */
	async ask(event: string, payload: Json, limit = LIMIT): Promise<Answer> {
		this.start();
		const id = this.#write(event, payload);
		if (id === undefined || this.#silent) return undefined;
		const { session, cwd } = payload;
		return await new Promise<Answer>((resolve) => {
			const sent = Date.now();
			const done = (answer: Answer) => {
				clearInterval(watch);
				this.#waiting.delete(id);
				resolve(answer);
			};
			const watch = setInterval(() => {
				const now = Date.now();
				const alive = this.#heard === 0 ? this.#begun + START_LIMIT : Math.max(sent, this.#heard) + LIMIT;
				if (now >= alive) this.#silent = true;
				if (now >= sent + limit || this.#silent) done(undefined);
				else if (now >= alive - LIMIT / 2) this.#write("rules", { session, cwd });
			}, Math.min(LIMIT, limit) / 4);
			this.#waiting.set(id, done);
		});
	}

	/** Tell, and wait for nothing. */
	tell(event: string, payload: Json): void {
		this.start();
		this.#write(event, payload);
	}

	/**
	 * End the process: it reads the end of its input and finishes its work; one that hangs is killed.
	 * Pi's print mode waits for it, so that the next session knows what was said in this one.
	 */
	end(): void {
		this.#ended = true;
		if (this.#silent) this.#child?.kill("SIGKILL");
		this.#child?.stdin?.end();
		this.#child?.unref();
	}

	/** Start it unless it runs, or died just now. */
	start(): void {
		const now = Date.now();
		const since = Math.max(this.#heard, this.#begun);
		if (this.#silent && now - since > REPLACE_AFTER) this.#child?.kill("SIGKILL");
		if (this.#ended || this.#child !== undefined || now < this.#begun + this.#pause) return;
		this.#begun = now;
		this.#heard = 0;
		this.#silent = false;
		const child = spawn(this.#runtime.interpreter, [...this.#runtime.arguments, "serve"], {
			cwd: this.#cwd,
			stdio: ["pipe", "pipe", "pipe"],
			windowsHide: true,
		});
		this.#child = child;
		const gone = () => {
			if (this.#child !== child) return;
			this.#child = undefined;
			// One that dies again and again is started less and less often.
			this.#pause = Date.now() - this.#begun < 10_000 ? Math.min(2 * this.#pause + 1000, 60_000) : 0;
			for (const done of this.#waiting.values()) done(undefined);
		};
		child.on("error", gone);
		child.on("exit", gone);
		child.stdin.on("error", () => {});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			this.#errors = (this.#errors + text).slice(-2000);
		});
		let rest = "";
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			const lines = (rest + text).split("\n");
			rest = (lines.pop() ?? "").slice(-2 * MAX_LINE);
			for (const line of lines) this.#take(line);
		});
		this.#hello();
	}

	#take(line: string): void {
		this.#heard = Date.now();
		this.#silent = false;
		try {
			const message = JSON.parse(line);
			this.#waiting.get(message.id)?.(message);
		} catch {
			// No answer of ours; who waits for it waits until its limit.
		}
	}

	/** Write one request; its number, or nothing where it cannot be written. */
	#write(event: string, payload: Json): number | undefined {
		const input = this.#child?.stdin;
		if (!input?.writable || input.writableLength > 4 * MAX_LINE) return undefined;
		const line = requestLine(this.#next, event, payload);
		if (line === undefined) return undefined;
		input.write(line);
		return this.#next++;
	}
}

/** One event by a process of its own, for a sub-agent, which starts no `serve`. */
async function hook(runtime: Runtime, cwd: string, event: string, payload: Json): Promise<Answer> {
	return await new Promise<Answer>((resolve) => {
		const child = spawn(runtime.interpreter, [...runtime.arguments, "hook", event], {
			cwd,
			stdio: ["pipe", "pipe", "ignore"],
			timeout: START_LIMIT,
			killSignal: "SIGKILL",
			windowsHide: true,
		});
		let text = "";
		child.stdout.setEncoding("utf8").on("data", (part: string) => {
			text += part;
		});
		child.on("error", () => resolve(undefined));
		child.on("close", () => {
			try {
				resolve(JSON.parse(text));
			} catch {
				resolve(undefined);
			}
		});
		child.stdin.on("error", () => {});
		child.stdin.end(JSON.stringify(payload));
	});
}

// --------------------------------------------------------------------------------------- panels

/** What an error says, with what to do next. */
function sentence(answer: Answer): string | undefined {
	return answer?.error && [answer.error.message, answer.error.remedy].filter(Boolean).join(" ");
}

const SILENT = "vaultmem does not answer, so nothing is remembered or recalled now. Run `vaultmem pi status` in a terminal.";

/** Show what is told to the person; print mode stays silent. */
function show(ctx: ExtensionContext, answer: Answer, why = ""): void {
	if (!ctx.hasUI) return;
	const { result, error } = answer ?? {};
	if (error) ctx.ui.notify(sentence(answer) ?? "", "error");
	else if (!result) ctx.ui.notify(`${SILENT} ${why}`.trim(), "warning");
	else if (result.text) ctx.ui.notify(result.text, result.level ?? "info");
}

/**
 * Let the person decide: a row, what to do with it, and so on until the panel is closed. Where the
 * panel opens by itself, or acts at once, what Enter takes changes nothing: they may be typing.
 */
async function decide(
	ctx: ExtensionContext,
	first: Panel,
	ask: (payload: Json) => Promise<Answer>,
	uncalled = false,
): Promise<void> {
	const options = ctx.mode === "rpc" ? { timeout: DIALOG_LIMIT } : {};
	for (let panel: Panel | undefined = first; panel && panel.rows.length > 0; ) {
		const title = panel.more > 0 ? `${panel.title} (${panel.more} more)` : panel.title;
		const labels = panel.rows.map((row, at) => `${at + 1}. ${row.label}`);
		const choices = uncalled && panel === first ? ["Not now", ...labels] : [...labels, "Close"];
		const chosen = await ctx.ui.select(title, choices, options);
		const row: Row | undefined = panel.rows[labels.indexOf(chosen ?? "")];
		if (!row) return;
		const names = ["Back", ...row.actions.map((one) => one.label)];
		const picked = await ctx.ui.select([row.label, ...row.detail].join("\n"), names, options);
		const action = row.actions.find((one) => one.label === picked);
		if (!action) {
			if (picked === undefined) return;
			continue;
		}
		let text: string | undefined;
		if (action.asks === "confirm") {
			if (!(await ctx.ui.confirm(row.label, action.prompt ?? action.label, options))) continue;
		}
		if (action.asks === "text") {
			text = await ctx.ui.editor(action.prompt ?? action.label, action.value ?? "");
			if (text === undefined) continue;
		}
		const chosenText = text === undefined ? {} : { text };
		const answer: Answer = await ask({ panel: panel.name, row: row.id, action: action.name, ...chosenText });
		show(ctx, answer);
		panel = answer?.result?.panel;
	}
}

// ------------------------------------------------------------------------------------ extension

/** A handler whose faults do not reach Pi, where one in `tool_call` would stop the tool. */
function safe<A extends unknown[], R>(handler: (...given: A) => R): (...given: A) => R | undefined {
	return (...given) => {
		try {
			const result = handler(...given);
			return result instanceof Promise ? (result.catch(() => undefined) as R) : result;
		} catch {
			return undefined;
		}
	};
}

/** A JSON file of the package. */
function read<T>(name: string, otherwise: T): T {
	try {
		return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
	} catch {
		return otherwise;
	}
}

/** Whether another agent started this Pi: a sub-agent, or one that was run by a tool. */
export function isNested(env: NodeJS.ProcessEnv, pid: number): boolean {
	const other = env["VAULTMEM_AGENT_PID"] !== undefined && env["VAULTMEM_AGENT_PID"] !== String(pid);
	return env["PI_SUBAGENT_CHILD"] === "1" || Boolean(env["PI_SESSION_ID"]) || other;
}

export default function vaultmem(pi: ExtensionAPI): void {
	const runtime = read<Runtime | undefined>("runtime.json", undefined);
	if (!runtime) return; // not installed by `vaultmem pi install`
	const table = read<Tools>("tools.json", { tools: [], commands: [] });
	const nested = isNested(process.env, process.pid);
	process.env["VAULTMEM_AGENT_PID"] ??= String(process.pid);

	let serve: Serve | undefined;
	let rules: Rule[] = [];
	let resultLimit = LIMIT;
	let turn: Promise<void> = Promise.resolve();
	let run = { byUser: true, retried: false };
	let toldOfSilence = false;
	/** Tools that run, and those whose end `serve` did not hear of: what a new one must know. */
	const open = new Map<string, Missed>();
	const blocked = new Set<string>();

	const place = (ctx: ExtensionContext): Json => ({ session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd });
	const take = (answer: Answer): Result | undefined => {
		const told = answer?.result?.rules;
		if (told) {
			rules = told.block;
			resultLimit = Math.max(LIMIT, 1000 * (told.result_seconds ?? 0));
		}
		return answer?.result;
	};
	const notices = (ctx: ExtensionContext, told: string[] | undefined) => {
		if (ctx.hasUI) for (const text of told ?? []) ctx.ui.notify(text, "info");
	};
	/** Say once that there is no memory now; what only takes long is told with a later event. */
	const silence = (ctx: ExtensionContext, answer: Answer) => {
		if (toldOfSilence || !ctx.hasUI || answer?.error?.code === "timeout") return;
		toldOfSilence = true;
		show(ctx, answer, serve?.errors);
	};
	const ask = async (ctx: ExtensionContext, event: string, payload: Json, limit?: number): Promise<Answer> =>
		await serve?.ask(event, { ...place(ctx), ...payload }, limit);
	const ui = (ctx: ExtensionContext) => (payload: Json) => ask(ctx, "ui", payload, LONG_LIMIT);

	pi.on("session_start", safe((event, ctx) => {
		if (nested) return;
		let reason: string = event.reason;
		const hello = async () => {
			const file = ctx.sessionManager.getSessionFile() ?? "";
			const mode = ctx.mode ?? (ctx.hasUI ? "tui" : "print");
			const payload = { reason, mode, file, missed: [...open.values()] };
			reason = "restart";
			const answer = await ask(ctx, "session_start", payload, START_LIMIT);
			const told = take(answer);
			if (!told) return silence(ctx, answer);
			for (const one of open.values()) if (one.ended !== undefined) open.delete(one.call);
			notices(ctx, told.notices);
			const writes = ctx.mode !== "rpc" && ctx.hasUI && ctx.ui.getEditorText() !== "";
			if (told.panel && ctx.hasUI && !writes) await decide(ctx, told.panel, ui(ctx), true);
		};
		serve = new Serve(runtime, ctx.cwd, () => void hello().catch(() => {}));
		serve.start();
	}));

	pi.on("input", safe((event, ctx) => {
		serve?.tell("input", { ...place(ctx), text: cut(event.text, CUT), source: event.source });
	}));

	pi.on("before_agent_start", safe(async (event, ctx) => {
		const fromUser = (event.messageType ?? "user") === "user";
		const prompt = "prompt" in event ? event.prompt : textOf(event.message.content);
		run = { byUser: fromUser, retried: !fromUser && "message" in event && event.message.customType === "vaultmem" };
		const payload: Json = { ...place(ctx), prompt: cut(prompt, CUT), sub_agent: nested };
		const answer = nested
			? await hook(runtime, ctx.cwd, "before_agent_start", payload)
			: await serve?.ask("before_agent_start", payload, serve.limit);
		const told = take(answer);
		notices(ctx, told?.notices);
		const sections = told?.sections ?? {};
		if (Object.keys(sections).length === 0) return undefined;
		const named = event.systemPromptOptions?.sections;
		if (!named) return { systemPrompt: event.systemPrompt + asPrompt(sections) };
		Object.assign(named, sections);
		return undefined;
	}));

	pi.on("tool_call", safe(async (event, ctx) => {
		const [tool, call, at] = [event.toolName, event.toolCallId, Date.now()];
		const stop = (reason: string) => {
			open.delete(call);
			blocked.add(call);
			return { block: true, reason };
		};
		if (rules.length > 0 && isTooLong(event.input as Json)) return stop(TOO_LONG);
		const input = cut(event.input, MAX_COMMAND) as Json;
		if (open.size < MAX_OPEN) open.set(call, { call, tool, at });
		const answer = await ask(ctx, "tool_call", { tool, call, input, at });
		const verdict = answer?.result ?? brokenRule(rules, tool, input);
		if (!verdict?.reason || (answer?.result && !answer.result.block)) return undefined;
		return stop(verdict.reason);
	}));

	pi.on("tool_result", safe(async (event, ctx) => {
		const [tool, call, at] = [event.toolName, event.toolCallId, Date.now()];
		const text = cut(textOf(event.content), CUT);
		const payload = { tool, call, at, input: cut(event.input, CUT), text, is_error: event.isError };
		const answer = await ask(ctx, "tool_result", payload, resultLimit);
		const one = open.get(call);
		if (answer?.result) open.delete(call);
		else if (one) one.ended = at;
		const append = answer?.result?.append;
		if (!append) return undefined;
		const kept = "structuredContent" in event ? { structuredContent: event.structuredContent } : {};
		return { content: [...event.content, { type: "text", text: append }], ...kept };
	}));

	// Not async: Pi 0.73.1 prints without waiting for it.
	pi.on("message_end", safe((event, ctx) => {
		const message = event.message;
		if (message.role !== "assistant") return undefined;
		const text = textOf(message.content);
		serve?.tell("message_end", { ...place(ctx), role: message.role, text: cut(text, MAX_LINE / 8) });
		if (withoutCitation(text) === text) return undefined;
		const content = message.content.map((part) =>
			part.type === "text" ? { ...part, text: withoutCitation(part.text) } : part,
		);
		return { message: { ...message, content: content.filter((part) => part.type !== "text" || part.text !== "") } };
	}));

	// Before the next prompt, so that what the user says stays the newest; Pi 0.73.1 would answer it.
	const quietly = (event: TurnEndEvent) =>
		event.outcome === undefined ? { deliverAs: "nextTurn" as const } : { triggerTurn: false };
	pi.on("turn_end", safe((event, ctx) => (turn = turnEnded(event, ctx))));
	const turnEnded = async (event: TurnEndEvent, ctx: ExtensionContext): Promise<void> => {
		if (event.message.role !== "assistant") return;
		const failed = new Set(event.toolResults.filter((one) => one.isError).map((one) => one.toolCallId));
		const tools = event.message.content
			.filter((part) => part.type === "toolCall")
			.map((part) => ({
				tool: part.name,
				call: part.id,
				input: cut(part.arguments, CUT_TURN),
				is_error: failed.has(part.id),
				ran: !blocked.has(part.id),
			}));
		const stopped = { aborted: "aborted", error: "error" } as Record<string, string>;
		const told = await ask(ctx, "turn_end", {
			turn: event.turnIndex,
			outcome: event.outcome ?? stopped[event.message.stopReason] ?? "completed",
			tools,
			text: cut(textOf(event.message.content), CUT),
			by_user: run.byUser,
			retried: run.retried,
			available: pi.getActiveTools(),
			entry: event.messageEntryId ?? "",
		});
		blocked.clear();
		if (told?.result) open.clear();
		else for (const one of open.values()) one.ended ??= Date.now();
		const messages = told?.result?.messages ?? [];
		messages.forEach((message, at) => {
			const retry = Boolean(told?.result?.retry) && at === messages.length - 1;
			if (retry) run.retried = true;
			const how = retry ? { triggerTurn: true, deliverAs: "followUp" as const } : quietly(event);
			pi.sendMessage({ ...message, display: true }, how);
		});
	};
	// Pi 0.73.1 does not wait for a handler of `turn_end`, but for this one, before it asks the model.
	if (!pi.registerMarkdownTransformer) {
		pi.on("context", safe(async () => {
			await new Promise((resolve) => setImmediate(resolve));
			await turn;
		}));
	}

	pi.on("session_before_compact", safe(async (event, ctx) => {
		await ask(ctx, "session_before_compact", { reason: event.reason ?? "threshold" });
	}));

	pi.on("session_compact", safe((event, ctx) => {
		const { id, summary } = event.compactionEntry;
		const payload = { reason: event.reason ?? "threshold", summary, will_retry: event.willRetry ?? false, entry: id };
		serve?.tell("session_compact", { ...place(ctx), ...payload });
	}));

	pi.on("session_shutdown", safe(async (event, ctx) => {
		await ask(ctx, "session_shutdown", { reason: event.reason }, END_LIMIT);
		serve?.end();
	}));

	pi.registerMarkdownTransformer?.((text, context) => withoutCitation(text, context.isStreaming), {
		messageTypes: ["assistant"],
	});

	if (nested) return;

	for (const tool of table.tools) {
		pi.registerTool({
			...tool,
			parameters: tool.parameters as never,
			async execute(call, input, _signal, _update, ctx) {
				const answer = await ask(ctx, "tool", { name: tool.name, call, arguments: cut(input, MAX_LINE / 8) }, LONG_LIMIT);
				const text = answer?.result?.text ?? sentence(answer);
				if (text === undefined) throw new Error("The memory does not answer. Go on without it.");
				if (answer?.error || answer?.result?.is_error) throw new Error(text);
				return { content: [{ type: "text", text }], details: {} };
			},
		});
	}

	pi.registerCommand("memory", {
		description: "Look at the memory and decide what it keeps",
		getArgumentCompletions: (prefix) => {
			const depth = prefix.split(" ").length;
			const fitting = table.commands.filter(
				(one) => one.name.startsWith(prefix) && one.name.split(" ").length === depth && one.name !== prefix,
			);
			if (fitting.length === 0) return null;
			return fitting.map((one) => ({
				value: one.name,
				label: `${one.name} ${one.arguments}`.trim(),
				description: one.description,
			}));
		},
		handler: async (args, ctx) => {
			const answer = await ask(ctx, "command", { text: args.trim() }, LONG_LIMIT);
			show(ctx, answer, serve?.errors);
			if (answer?.result?.panel && ctx.hasUI) await decide(ctx, answer.result.panel, ui(ctx));
		},
	});
}
