/** The fence against the examples that Python's tests read too; the tools run in the real Python. */

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

// Examples are read as they are.
type Anything = any;

const SOURCE = fileURLToPath(new URL("../../vaultmem/llm", import.meta.url));
const EXAMPLES: Anything = JSON.parse(readFileSync(new URL("./examples/desk.json", import.meta.url), "utf8"));
const PYTHON = process.env["FENCE_PYTHON"] ?? "";
const RUN = ["-I", "-m", "vaultmem.llm"];

const started: FakePi[] = [];

afterEach(() => {
	for (const pi of started.splice(0)) pi.handlers.get("session_shutdown")();
});

/** A Pi that holds what the extension registers. */
class FakePi {
	tools = new Map<string, Anything>();
	handlers = new Map<string, Anything>();
	readonly copy: string;
	readonly folder: string;

	constructor() {
		this.folder = mkdtempSync(join(tmpdir(), "fence-"));
		this.copy = join(this.folder, "copy");
		for (const [path, text] of Object.entries<string>(EXAMPLES.files)) {
			mkdirSync(dirname(join(this.copy, path)), { recursive: true });
			writeFileSync(join(this.copy, path), text);
		}
	}

	async load(changes: Anything = {}): Promise<this> {
		started.push(this);
		for (const name of ["fence.ts", "tools.json"]) cpSync(join(SOURCE, name), join(this.folder, name));
		writeFileSync(join(this.folder, "package.json"), '{"type": "module"}');
		const desk = { folder: this.copy, writable: EXAMPLES.writable, protected: EXAMPLES.protected };
		const fence = { system: "You rewrite.", desk, interpreter: PYTHON, arguments: RUN, ...changes };
		writeFileSync(join(this.folder, "fence.json"), JSON.stringify(fence));
		(await import(pathToFileURL(join(this.folder, "fence.ts")).href)).default({
			registerTool: (tool: Anything) => this.tools.set(tool.name, tool),
			on: (name: string, handler: Anything) => this.handlers.set(name, handler),
		});
		return this;
	}

	async call(tool: string, given: Anything): Promise<Anything> {
		try {
			const result = await this.tools.get(tool).execute("call_1", given);
			return { text: result.content[0].text };
		} catch (error) {
			return { error: (error as Error).message };
		}
	}

	files(): Record<string, string> {
		const entries = readdirSync(this.copy, { recursive: true, withFileTypes: true });
		const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
		return Object.fromEntries(files.map((path) => [path.slice(this.copy.length + 1), readFileSync(path, "utf8")]));
	}
}

for (const { about, calls, after } of EXAMPLES.cases) {
	test(`a tool answers as the examples say: ${about}`, async () => {
		const pi = await new FakePi().load();
		for (const { tool, arguments: given, ...told } of calls) assert.deepEqual(await pi.call(tool, given), told, JSON.stringify(given));
		const wanted = Object.entries({ ...EXAMPLES.files, ...after }).filter(([, text]) => text !== null);
		assert.deepEqual(pi.files(), Object.fromEntries(wanted));
	});
}

test("there are five tools, declared as Python declares them", async () => {
	const pi = await new FakePi().load();
	const declared = JSON.parse(readFileSync(join(SOURCE, "tools.json"), "utf8"));
	const registered = [...pi.tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
	assert.deepEqual(registered, declared);
	assert.equal(registered.length, 5);
});

test("without a desk there is no tool", async () => {
	const pi = await new FakePi().load({ desk: undefined });
	assert.equal(pi.tools.size, 0);
	assert.ok(pi.handlers.get("tool_call")({ toolName: "notebook_read" }).block);
});

test("our instructions stand in place of Pi's, and no other tool runs", async () => {
	const pi = await new FakePi().load();
	assert.deepEqual(pi.handlers.get("before_agent_start")({ systemPrompt: "You are Pi." }), { systemPrompt: "You rewrite." });
	assert.equal(pi.handlers.get("tool_call")({ toolName: "notebook_edit" }), undefined);
	for (const name of ["bash", "read", "write", "notebook_"]) assert.ok(pi.handlers.get("tool_call")({ toolName: name }).block, name);
});

test("calls of one answer run one after the other", async () => {
	const pi = await new FakePi().load();
	const edits = ["alpha", "beta", "gamma"].map((old) => pi.call("notebook_edit", { path: "MEMORY.md", old, new: `${old}!` }));
	await Promise.all(edits);
	assert.equal(readFileSync(join(pi.copy, "MEMORY.md"), "utf8"), "alpha!\nbeta!\ngamma!\n");
});

for (const [what, changes] of Object.entries({
	"cannot be started": { interpreter: "/nowhere/python" },
	"fails": { arguments: ["-c", "raise SystemExit(1)"] },
	"answers nonsense": { arguments: ["-c", "print('[]')"] },
})) {
	test(`a Python that ${what} is an error that the model can read`, async () => {
		const pi = await new FakePi().load(changes);
		const { error } = await pi.call("notebook_write", { path: "MEMORY.md", text: "x".repeat(200_000) });
		assert.match(error, /^The tool failed: .* Try once more\.$/);
		assert.equal(readFileSync(join(pi.copy, "MEMORY.md"), "utf8"), EXAMPLES.files["MEMORY.md"]);
		assert.ok(!existsSync(join(pi.copy, "memory_summary.md")));
	});
}
