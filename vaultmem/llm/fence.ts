/**
 * The fence of the notebook's worker in Pi: it puts our instructions in place of Pi's own, and offers
 * five file tools and no others. It does nothing with files itself: the calls go to vaultmem's own
 * Python, so that every kind of worker has the same fence. What it is told lies beside it in
 * `fence.json`, the declarations of the tools in `tools.json`.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

type Json = Record<string, unknown>;

/** What the worker is, as vaultmem wrote it. */
interface Fence {
	system: string;
	/** Nothing where the model is only asked and has no tools. */
	desk?: { folder: string; writable: string[]; protected: string[] };
	interpreter: string;
	arguments: string[];
}

interface Declared {
	name: string;
	description: string;
	parameters: Json;
}

interface Told {
	text: string;
	is_error: boolean;
}

/** Milliseconds that a call may take; it reads and writes a few files. */
const LIMIT = 60_000;
/** Milliseconds between two looks whether the process that started us is still there. */
const LOOK = 1_000;

function beside<T>(name: string): T {
	return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as T;
}

/** Vaultmem's Python, which does the calls one after the other; a new one is started when it ended. */
class Tools {
	readonly #fence: Fence;
	#child: ChildProcessWithoutNullStreams | undefined;
	#last: Promise<unknown> = Promise.resolve();

	constructor(fence: Fence) {
		this.#fence = fence;
	}

	/** Do one call; it always answers. Pi runs those of one answer side by side, and two edits must not meet. */
	call(tool: string, given: unknown): Promise<Told> {
		const next = this.#last.then(() => this.#ask(`${JSON.stringify({ tool, arguments: given })}\n`));
		this.#last = next;
		return next;
	}

	end(): void {
		this.#child?.kill();
		this.#child = undefined;
	}

	#ask(line: string): Promise<Told> {
		return new Promise((resolve) => {
			const child = this.#started();
			let out = "";
			const done = (told: Told): void => {
				clearTimeout(timer);
				child.stdout.off("data", read);
				child.off("close", closed).off("error", closed);
				resolve(told);
			};
			const failed = (why: string): void => {
				this.end();
				done({ text: `The tool failed: ${why}. Try once more.`, is_error: true });
			};
			const closed = (error: unknown): void => failed(error instanceof Error ? error.message : "it ended");
			const read = (part: string): void => {
				out += part;
				if (!out.endsWith("\n")) return;
				const told = toldIn(out);
				if (told === undefined) failed("it answered nonsense");
				else done(told);
			};
			const timer = setTimeout(() => failed("it took too long"), LIMIT);
			child.stdout.on("data", read);
			child.on("close", closed).on("error", closed);
			child.stdin.write(line);
		});
	}

	#started(): ChildProcessWithoutNullStreams {
		if (this.#child?.exitCode === null) return this.#child;
		const child = spawn(this.#fence.interpreter, this.#fence.arguments);
		child.on("error", () => undefined);
		child.stdin.on("error", () => undefined);
		child.stdout.setEncoding("utf8");
		child.stderr.resume();
		child.stdin.write(`${JSON.stringify(this.#fence.desk)}\n`);
		this.#child = child;
		return child;
	}
}

function toldIn(line: string): Told | undefined {
	try {
		const { text, is_error } = JSON.parse(line) as Partial<Told>;
		return typeof text === "string" ? { text, is_error: is_error !== false } : undefined;
	} catch {
		return undefined;
	}
}

export default function (pi: ExtensionAPI): void {
	const fence = beside<Fence>("./fence.json");
	const tools = fence.desk === undefined ? [] : beside<Declared[]>("./tools.json");
	const names = tools.map((tool) => tool.name);
	const python = new Tools(fence);
	for (const tool of tools) {
		pi.registerTool({
			name: tool.name,
			label: tool.name,
			description: tool.description,
			// A plain JSON schema, which Pi passes on as it does those of other servers' tools.
			parameters: tool.parameters as never,
			async execute(_id, given) {
				const told = await python.call(tool.name, given);
				if (told.is_error) throw new Error(told.text);
				return { content: [{ type: "text", text: told.text }], details: {} };
			},
		});
	}

	pi.on("session_start", () => {
		const parent = process.ppid;
		setInterval(() => {
			if (process.ppid !== parent) process.exit(1);
		}, LOOK).unref();
	});
	pi.on("session_shutdown", () => python.end());
	pi.on("before_agent_start", () => ({ systemPrompt: fence.system }));
	// Whatever else may ever be offered here does not run.
	pi.on("tool_call", (event) =>
		names.includes(event.toolName) ? undefined : { block: true, reason: `There is no ${event.toolName} here.` },
	);
}
