/** A Pi that holds the extension's handlers, so that a test can call them; the real one is in test_*.py. */

import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// What a handler takes and gives differs for each.
type Anything = any;

const PACKAGE = fileURLToPath(new URL("../../../templates/pi", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../hooks/examples", import.meta.url));
const SERVE = fileURLToPath(new URL("./fake_serve.mjs", import.meta.url));

export const SESSION = "01a228b3-619b-74c0-bedb-1ec5be15d70a";
export const CWD = tmpdir();

export function examples(name: string): Anything {
	return JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), "utf8"));
}

/** The extension in a folder of its own, with a process behind it that answers as it is told. */
export class FakePi {
	handlers = new Map<string, Anything>();
	tools = new Map<string, Anything>();
	commands = new Map<string, Anything>();
	sent: Anything[] = [];
	shown: string[] = [];
	/** How grave each of `shown` is. */
	levels: string[] = [];
	dialogs: Anything[] = [];
	replies: Anything[] = [];
	/** What the person has begun to write. */
	typed = "";
	/** Where Pi keeps the session; nothing where it keeps none. */
	file: string | undefined = "/home/ada/session.jsonl";
	transformer: Anything;
	ctx: Anything;
	readonly runtime: string;
	readonly #control: string;
	readonly #log: string;
	readonly #folder: string;

	/** Whether it lacks what Pi 0.73.1 lacks. */
	old = false;

	constructor(mode = "tui") {
		this.#folder = mkdtempSync(join(tmpdir(), "shim-"));
		cpSync(PACKAGE, this.#folder, { recursive: true });
		this.#control = join(this.#folder, "control.json");
		this.#log = join(this.#folder, "log");
		this.answer({});
		this.runtime = join(this.#folder, "runtime.json");
		const runtime = { interpreter: process.execPath, arguments: [SERVE, this.#control, this.#log] };
		writeFileSync(this.runtime, JSON.stringify(runtime));
		const reply = (kind: string) => async (...given: Anything[]) => {
			this.dialogs.push([kind, ...given]);
			return this.replies.shift();
		};
		this.ctx = {
			mode,
			hasUI: mode === "tui" || mode === "rpc",
			cwd: CWD,
			sessionManager: { getSessionId: () => SESSION, getSessionFile: () => this.file },
			ui: {
				notify: (text: string, level: string) => {
					this.shown.push(text);
					this.levels.push(level);
				},
				getEditorText: () => this.typed,
				select: reply("select"),
				confirm: reply("confirm"),
				editor: reply("editor"),
			},
		};
	}

	/** Load the extension; a name after `?` makes it a module of its own. */
	async load(): Promise<this> {
		const registerMarkdownTransformer = (transformer: Anything) => {
			this.transformer = transformer;
		};
		const place = pathToFileURL(join(this.#folder, "extensions/vaultmem.ts"));
		(await import(place.href)).default({
			on: (name: string, handler: Anything) => this.handlers.set(name, handler),
			registerTool: (tool: Anything) => this.tools.set(tool.name, tool),
			registerCommand: (name: string, command: Anything) => this.commands.set(name, command),
			...(this.old ? {} : { registerMarkdownTransformer }),
			getActiveTools: () => ["bash", "read"],
			sendMessage: (...given: Anything[]) => this.sent.push(given),
		});
		return this;
	}

	/** Load it and begin a session, as far as the first answer. */
	async start(answers: Anything = {}, reason = "startup"): Promise<this> {
		this.answer(answers);
		await this.load();
		return await this.begin(reason);
	}

	/** Begin a session, as far as the first answer. */
	async begin(reason: string): Promise<this> {
		await this.fire("session_start", { reason });
		await this.until(() => this.requests("session_start").length > 0);
		return this;
	}

	fire(name: string, event: Anything = {}): Anything {
		return this.handlers.get(name)({ type: name, ...event }, this.ctx);
	}

	/** What `serve` answers from now on. */
	answer(answers: Anything, mode = "answer"): void {
		writeFileSync(`${this.#control}.new`, JSON.stringify({ answers, mode }));
		renameSync(`${this.#control}.new`, this.#control);
	}

	log(): Anything[] {
		if (!existsSync(this.#log)) return [];
		const lines = readFileSync(this.#log, "utf8").split("\n");
		return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
	}

	requests(event: string): Anything[] {
		return this.log().filter((one) => one.event === event);
	}

	started(): number[] {
		return this.log().filter((one) => one.started).map((one) => one.pid);
	}

	async until(holds: () => boolean | Promise<boolean>): Promise<void> {
		for (const end = Date.now() + 30_000; !(await holds()); ) {
			if (Date.now() > end) throw new Error(`never: ${holds} ${JSON.stringify(this.log())}`);
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
	}
}
