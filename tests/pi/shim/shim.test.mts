/** The extension against the examples that Python's tests read too, and against a `serve` that fails. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { brokenRule, cut, isNested, isTooLong, requestLine, withoutCitation } from "../../../templates/pi/extensions/vaultmem.ts";
import { CWD, examples, FakePi, SESSION } from "./fake_pi.mts";

const PROTOCOL = new URL("../../../docs/reference/hook-protocol.md", import.meta.url);

// Examples are read as they are.
type Anything = any;

/** Milliseconds, for tests in which nobody answers; in all others an answer has all the time. */
const LIMIT = 1500;
/** Milliseconds: longer than what waits for that limit takes on any machine. */
const FOR_EVER = 30_000;
const pis: FakePi[] = [];

/** What an extension that is loaded from now on takes for its limit. */
function limit(milliseconds: number): void {
	process.env["VAULTMEM_PI_LIMIT_MS"] = String(milliseconds);
}

beforeEach(() => limit(2 * FOR_EVER));

afterEach(async () => {
	for (const pi of pis.splice(0)) await pi.handlers.get("session_shutdown")?.({ reason: "quit" }, pi.ctx);
	delete process.env["VAULTMEM_AGENT_PID"];
	delete process.env["PI_SUBAGENT_CHILD"];
});

async function started(answers: Anything = {}, mode = "tui"): Promise<FakePi> {
	const pi = new FakePi(mode);
	pis.push(pi);
	return await pi.start(answers);
}

function assistant(text: string, calls: Anything[] = []): Anything {
	return { role: "assistant", stopReason: "stop", content: [{ type: "text", text }, ...calls] };
}

function prompt(text: string): Anything {
	return { messageType: "user", prompt: text, systemPrompt: "You are Pi.", systemPromptOptions: { sections: {} } };
}

/** What comes first: `false` where that takes for ever. */
async function inTime<T>(answer: Promise<T>): Promise<T | false> {
	const end = new AbortController();
	const waits = new Promise<false>((resolve) => {
		const timer = setTimeout(() => resolve(false), FOR_EVER);
		end.signal.addEventListener("abort", () => clearTimeout(timer));
	});
	return await Promise.race([answer, waits]).finally(() => end.abort());
}

function isGone(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return false;
	} catch {
		return true;
	}
}

/** What Pi hands over so that the extension sends the payload of an example. */
const EVENTS: Record<string, (payload: Anything) => Anything> = {
	input: (p) => ({ text: p.text, source: p.source }),
	before_agent_start: (p) => prompt(p.prompt),
	tool_call: (p) => ({ toolName: p.tool, toolCallId: p.call, input: p.input }),
	tool_result: (p) => ({
		toolName: p.tool,
		toolCallId: p.call,
		input: p.input,
		isError: p.is_error,
		content: [{ type: "text", text: p.text }],
	}),
	message_end: (p) => ({ message: assistant(p.text) }),
	turn_end: (p) => ({
		turnIndex: p.turn,
		outcome: p.outcome,
		toolResults: [],
		message: assistant(
			p.text,
			p.tools.map((one: Anything) => ({ type: "toolCall", id: one.call, name: one.tool, arguments: one.input })),
		),
	}),
	session_before_compact: (p) => ({ reason: p.reason }),
	session_compact: (p) => ({ reason: p.reason, willRetry: p.will_retry, compactionEntry: { id: p.entry, summary: p.summary } }),
	session_shutdown: (p) => ({ reason: p.reason }),
};

const PANEL = examples("session_start").cases[0].answer.result.panel;

/** What the model and the person do so that the extension sends the payload of an example. */
const DEEDS: Record<string, (pi: FakePi, payload: Anything, answer: Anything) => Anything> = {
	...Object.fromEntries(Object.entries(EVENTS).map(([name, event]) => [name, (pi, p) => pi.fire(name, event(p))])),
	tool: async (pi, p, { text, is_error }) => {
		const done = pi.tools.get(p.name).execute(p.call, p.arguments, undefined, undefined, pi.ctx);
		if (is_error) await assert.rejects(done, { message: text });
		else assert.deepEqual((await done).content, [{ type: "text", text }]);
	},
	command: async (pi, p, { text, level, panel }) => {
		await pi.commands.get("memory").handler(` ${p.text} `, pi.ctx);
		assert.deepEqual([pi.shown, pi.levels], [[text], [level]]);
		assert.deepEqual(pi.dialogs.map(([, title]) => title), panel ? [panel.title] : []);
	},
	ui: async (pi, p, answer) => {
		const row = PANEL.rows.findIndex((one: Anything) => one.id === p.row);
		const { label } = PANEL.rows[row].actions.find((one: Anything) => one.name === p.action);
		pi.answer({ command: { text: "", panel: PANEL }, ui: answer });
		pi.replies.push(`${row + 1}. ${PANEL.rows[row].label}`, label, ...("text" in p ? [p.text] : []));
		await pi.commands.get("memory").handler("inbox", pi.ctx);
		assert.deepEqual([pi.shown, pi.levels], [[answer.text], [answer.level]]);
	},
	// It is a sign of life, asked for where an answer takes long.
	rules: async (pi) => {
		pi.answer({}, "hang");
		pi.tools.get("memory_search").execute("c", {}, undefined, undefined, pi.ctx).catch(() => {});
	},
};

/** Keys that depend on the moment, or that an example leaves at their default. */
const LOOSE = ["cwd", "at", "entry", "sub_agent", "by_user", "retried", "tools"];

function assertSent(pi: FakePi, name: string, payload: Anything): Anything {
	const sent = pi.requests(name)[0];
	assert.equal(sent.v, 1);
	assert.equal(sent.payload.session, SESSION);
	assert.equal(sent.payload.cwd, CWD);
	for (const [key, value] of Object.entries(payload)) {
		if (!LOOSE.includes(key)) assert.deepEqual(sent.payload[key], value, key);
	}
	return sent.payload;
}

for (const [name, deed] of Object.entries(DEEDS)) {
	for (const { about, request, answer } of examples(name).cases) {
		if (request.payload.sub_agent || request.payload.retried) continue;
		test(`${name} is sent as the example says: ${about}`, async () => {
			if (name === "rules") limit(LIMIT);
			const pi = await started({ [name]: answer.result ?? answer });
			await deed(pi, request.payload, answer.result ?? answer);
			await pi.until(() => pi.requests(name).length > 0);
			assertSent(pi, name, request.payload);
		});
	}
}

for (const { about, request, answer } of examples("session_start").cases) {
	test(`session_start is sent as the example says: ${about}`, async () => {
		const { reason, mode, file, missed = [] } = request.payload;
		const pi = new FakePi(mode);
		pis.push(pi);
		pi.file = file;
		pi.answer({ session_start: answer.result });
		await pi.load();
		for (const { tool, call } of missed) { // before there is anybody to tell it to
			await pi.fire("tool_call", { toolName: tool, toolCallId: call, input: {} });
			await pi.fire("tool_result", { toolName: tool, toolCallId: call, input: {}, content: [], isError: false });
		}
		await pi.begin(reason);
		const sent = assertSent(pi, "session_start", { session: SESSION, reason, mode, file: file ?? "" });
		const named = ({ at, ended, ...one }: Anything) => ({ ...one, at: typeof at, ended: typeof ended });
		assert.deepEqual(sent.missed.map(named), missed.map(named));
	});
}

test("every event that the protocol knows is compared with its examples", () => {
	const events = /\n## Events\n([^]*?)\n## /.exec(readFileSync(PROTOCOL, "utf8"))?.[1] ?? "";
	const known = [...events.matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name);
	assert.deepEqual([...Object.keys(DEEDS), "session_start"].sort(), known.sort());
});

test("an older Pi does not say its mode, but whether a person is there", async () => {
	const modes = [];
	for (const mode of ["tui", "rpc", "print"]) {
		const pi = new FakePi(mode);
		pis.push(pi);
		delete pi.ctx.mode;
		await pi.start();
		modes.push(pi.requests("session_start")[0].payload.mode);
	}
	assert.deepEqual(modes, ["tui", "tui", "print"]);
});

for (const { about, code } of examples("errors").cases) {
	test(`an error is one to the model and to the person: ${about}`, async () => {
		const error = { code, message: `It was refused: ${about}.`, remedy: "Run `vaultmem doctor`." };
		const pi = await started({ tool: { error }, command: { error } });
		const message = `${error.message} ${error.remedy}`;
		await assert.rejects(pi.tools.get("memory_search").execute("c", {}, undefined, undefined, pi.ctx), { message });
		await pi.commands.get("memory").handler("status", pi.ctx);
		assert.deepEqual([pi.shown, pi.levels], [[message], ["error"]]);
	});
}

test("sections go where Pi has them, and else into the prompt", async () => {
	const { answer } = examples("before_agent_start").cases[0];
	const pi = await started({ before_agent_start: answer.result });
	const event = prompt("add a button");
	assert.equal(await pi.fire("before_agent_start", event), undefined);
	assert.deepEqual(event.systemPromptOptions.sections, answer.result.sections);
	const old = { ...prompt("add a button"), messageType: undefined, systemPromptOptions: {} };
	const { systemPrompt } = await pi.fire("before_agent_start", old);
	assert.ok(systemPrompt.startsWith("You are Pi.\n\n<project_memory>\n# Project Memory\n…\n</project_memory>\n\n<contextual_memories>\n"));
});

test("a blocked call does not run, with the reason; any other does", async () => {
	const pi = await started({ tool_call: { block: true, reason: "No." } });
	assert.deepEqual(await pi.fire("tool_call", { toolName: "bash", toolCallId: "1", input: {} }), { block: true, reason: "No." });
	pi.answer({});
	assert.equal(await pi.fire("tool_call", { toolName: "bash", toolCallId: "2", input: {} }), undefined);
});

test("what a rule adds stands behind the tool's own result", async () => {
	const pi = await started({ tool_result: { append: "Mind the lock." } });
	const content = [{ type: "text", text: "done" }, { type: "image", data: "x" }];
	const result = await pi.fire("tool_result", { toolName: "edit", toolCallId: "1", input: {}, content, isError: false });
	assert.deepEqual(result.content, [...content, { type: "text", text: "Mind the lock." }]);
});

test("a citation is taken out at once, without waiting for anybody", async () => {
	const pi = await started();
	const { request, answer } = examples("message_end").cases[0];
	const message = assistant(request.payload.text, [{ type: "toolCall", id: "1", name: "read", arguments: {} }]);
	const result = pi.fire("message_end", { message });
	assert.equal(result instanceof Promise, false);
	assert.deepEqual(result.message.content, [{ type: "text", text: answer.result.text }, message.content[1]]);
	assert.equal(pi.fire("message_end", { message: assistant("Nothing cited.") }), undefined);
	assert.equal(pi.fire("message_end", { message: { role: "user", content: request.payload.text } }), undefined);
});

test("a reply that is nothing but a citation leaves no empty text", async () => {
	const pi = await started();
	const text = examples("message_end").cases[0].request.payload.text.replace(/^[^<]*/, "");
	assert.deepEqual(pi.fire("message_end", { message: assistant(text) }).message.content, []);
});

test("a retry goes on at once, other messages stand before the next prompt, and the next turn says so", async () => {
	const pi = await started({
		turn_end: { messages: [{ customType: "vaultmem", content: "a" }, { customType: "vaultmem", content: "b" }], retry: true },
	});
	const turn = { turnIndex: 0, outcome: "completed", toolResults: [], message: assistant("Done.") };
	await pi.fire("before_agent_start", prompt("merge it"));
	await pi.fire("turn_end", turn);
	assert.deepEqual(pi.sent.map(([message, how]) => [message.content, how]), [
		["a", { triggerTurn: false }],
		["b", { triggerTurn: true, deliverAs: "followUp" }],
	]);
	pi.answer({});
	await pi.fire("turn_end", turn);
	await pi.fire("before_agent_start", prompt("and now"));
	await pi.fire("turn_end", turn);
	await pi.fire("before_agent_start", { ...prompt(""), messageType: "custom", message: { customType: "other", content: "x" } });
	await pi.fire("turn_end", turn);
	const flags = pi.requests("turn_end").map(({ payload }) => [payload.by_user, payload.retried]);
	assert.deepEqual(flags, [[true, false], [true, true], [true, false], [false, false]]);
});

test("Pi 0.73.1, which would answer a message at once, gets it with the next prompt", async () => {
	const pi = await started({ turn_end: { messages: [{ customType: "vaultmem", content: "a" }], retry: false } });
	await pi.fire("turn_end", { turnIndex: 0, toolResults: [], message: assistant("Done.") });
	assert.deepEqual(pi.sent.map(([, how]) => how), [{ deliverAs: "nextTurn" }]);
});

test("a tool answers what serve says, and its errors are errors", async () => {
	const pi = await started({ tool: { text: "Found 1." } });
	assert.deepEqual([...pi.tools.keys()], JSON.parse(readFileSync(new URL("../../../templates/pi/tools.json", import.meta.url), "utf8")).tools.map((one: Anything) => one.name));
	const search = pi.tools.get("memory_search");
	assert.deepEqual((await search.execute("c", { query: "x" }, undefined, undefined, pi.ctx)).content, [{ type: "text", text: "Found 1." }]);
	assert.deepEqual(pi.requests("tool")[0].payload, { session: SESSION, cwd: CWD, name: "memory_search", call: "c", arguments: { query: "x" } });
	pi.answer({ tool: { text: "No such memory.", is_error: true } });
	await assert.rejects(search.execute("c", {}, undefined, undefined, pi.ctx), { message: "No such memory." });
	pi.answer({ tool: { error: { code: "refused", message: "Not here.", remedy: "Ask the user." } } });
	await assert.rejects(search.execute("c", {}, undefined, undefined, pi.ctx), { message: "Not here. Ask the user." });
});

test("the inbox panel asks row by row and sends what the person decides", async () => {
	const first = examples("session_start").cases[0].answer.result.panel;
	const pi = await started({ command: { text: "", panel: first }, ui: { text: "Changed.", panel: { ...first, more: 3 } } });
	pi.replies.push("1. ✓ Use uv for Python environments", "Edit", "Use uv", undefined);
	await pi.commands.get("memory").handler("inbox", pi.ctx);
	assert.deepEqual(pi.requests("command")[0].payload.text, "inbox");
	const sent = pi.requests("ui").map((one) => one.payload);
	assert.deepEqual(sent, [{ session: SESSION, cwd: CWD, panel: "inbox", row: first.rows[0].id, action: "edit", text: "Use uv" }]);
	assert.deepEqual(pi.dialogs.map(([kind, title]) => [kind, title]), [
		["select", "Memory inbox: 4 candidates"],
		["select", "✓ Use uv for Python environments\npreference · global · said by the user\nVerified."],
		["editor", "The statement"],
		["select", "Memory inbox: 4 candidates (3 more)"],
	]);
	assert.deepEqual(pi.shown, ["Changed."]);
});

test("what the person does not confirm is not done", async () => {
	const panel = examples("session_start").cases[0].answer.result.panel;
	const pi = await started({ command: { text: "", panel } });
	pi.replies.push("1. ✓ Use uv for Python environments", "Reject", false, "1. ✓ Use uv for Python environments", "Back", "Close");
	await pi.commands.get("memory").handler("inbox", pi.ctx);
	assert.deepEqual(pi.requests("ui"), []);
});

test("a session that starts tells its notices and opens the panel, in which Enter does nothing", async () => {
	const { result } = examples("session_start").cases[0].answer;
	const pi = await started({ session_start: result, ui: { panel: result.panel } });
	await pi.until(() => pi.dialogs.length > 0);
	assert.equal(pi.shown.length, 2);
	const options = pi.dialogs.map(([, , choices]) => choices[0]);
	assert.deepEqual(options, ["Not now"]);
	await pi.commands.get("memory").handler("inbox", pi.ctx);
	assert.deepEqual(pi.requests("ui"), []);
});

test("in a row the first choice is to go back", async () => {
	const panel = examples("session_start").cases[0].answer.result.panel;
	const pi = await started({ command: { text: "", panel } });
	pi.replies.push("1. ✓ Use uv for Python environments", "Back", "Close");
	await pi.commands.get("memory").handler("inbox", pi.ctx);
	assert.deepEqual(pi.dialogs[1][2], ["Back", ...panel.rows[0].actions.map((one: Anything) => one.label)]);
	assert.deepEqual([pi.dialogs[0], pi.dialogs[2]].map(([, , choices]) => choices.at(-1)), ["Close", "Close"]);
});

test("a panel does not open by itself over what the person writes", async () => {
	const pi = new FakePi();
	pis.push(pi);
	pi.typed = "fix the";
	await pi.start({ session_start: examples("session_start").cases[0].answer.result });
	await pi.until(() => pi.shown.length === 2);
	await new Promise((resolve) => setTimeout(resolve, 50));
	assert.deepEqual(pi.dialogs, []);
});

test("what was refused is told, and the panel is shown again", async () => {
	const panel = examples("session_start").cases[0].answer.result.panel;
	const now = { ...panel, title: "Memory inbox: 3 candidates" };
	const pi = await started({ command: { text: "", panel }, ui: { text: "It changed.", level: "error", panel: now } });
	pi.replies.push("1. ✓ Use uv for Python environments", "Approve", "Close");
	await pi.commands.get("memory").handler("inbox", pi.ctx);
	assert.deepEqual(pi.shown, ["It changed."]);
	assert.equal(pi.dialogs.at(-1)[1], "Memory inbox: 3 candidates");
});

test("print mode stays silent", async () => {
	const { result } = examples("session_start").cases[0].answer;
	const pi = await started({ session_start: result, command: { text: "Fine.", panel: result.panel } }, "print");
	await pi.commands.get("memory").handler("status", pi.ctx);
	assert.deepEqual([pi.shown, pi.dialogs], [[], []]);
});

test("the words after /memory are completed", async () => {
	const complete = (await started()).commands.get("memory").getArgumentCompletions;
	assert.deepEqual(complete("inb").map((one: Anything) => one.value), ["inbox"]);
	assert.equal(complete("nonsense"), null);
	assert.ok(complete("").length > 40);
	assert.ok(complete("").every((one: Anything) => !one.value.includes(" ")));
	assert.deepEqual(complete("off ").map((one: Anything) => one.value), ["off write", "off read"]);
	assert.deepEqual(complete("enforce a").map((one: Anything) => one.value), ["enforce audit"]);
	assert.equal(complete("status "), null);
});

test("block rules and citations are read as Python reads them", () => {
	const { rules, cases } = examples("block_rules");
	for (const { why, tool, input, blocked } of cases) assert.equal(brokenRule(rules, tool, input)?.id ?? null, blocked, why);
	for (const { about, text, without } of examples("citations").cases) assert.equal(withoutCitation(text), without, about);
});

test("while a reply streams, a citation that only begins is not drawn", async () => {
	const pi = await started();
	const whole = "Done < soon.\n\n<vaultmem-citation>\ns8t9v0w1\n</vaultmem-citation>";
	for (let end = 13; end <= whole.length; end++) {
		assert.equal(pi.transformer(whole.slice(0, end), { isStreaming: true }).trimEnd(), "Done < soon.");
	}
	assert.equal(pi.transformer("a <v", { isStreaming: false }), "a <v");
});

test("a serve that hangs costs one limit, its block rules hold, and it is heard again when it wakes", async () => {
	limit(LIMIT);
	const rules = { version: "1", block: examples("block_rules").rules };
	const pi = await started({ before_agent_start: { sections: {}, rules } });
	await pi.fire("before_agent_start", prompt("x"));
	pi.answer({}, "hang");
	const bash = (command: string) => pi.fire("tool_call", { toolName: "bash", toolCallId: command, input: { command } });
	let begun = Date.now();
	assert.equal((await bash("git add .")).reason, "add");
	assert.ok(Date.now() - begun < 2 * LIMIT);
	begun = Date.now();
	assert.equal((await bash("cd app && git add ."))?.reason, "add");
	assert.equal(await bash("git add app.ts"), undefined);
	await pi.fire("turn_end", { turnIndex: 0, toolResults: [], message: assistant("Done.") });
	assert.equal(await pi.fire("before_agent_start", prompt("x")), undefined);
	assert.ok(Date.now() - begun < LIMIT / 2, "only the first request waits");
	pi.answer({ tool_call: { block: true, reason: "awake" } });
	await pi.until(async () => (await bash("ls"))?.reason === "awake");
});

test("a sub-agent's process that hangs costs what a start may, and is ended", async () => {
	limit(LIMIT);
	process.env["PI_SUBAGENT_CHILD"] = "1";
	const pi = new FakePi();
	pis.push(pi);
	await pi.load();
	await pi.fire("session_start", { reason: "startup" });
	pi.answer({}, "hang");
	assert.equal(await inTime(pi.fire("before_agent_start", prompt("x"))), undefined);
	assert.ok(pi.started().every(isGone), "it is left behind");
});

test("the end of a session waits for no limit of an event", async () => {
	const pi = await started();
	pi.answer({}, "hang");
	assert.equal(await inTime(pi.fire("session_shutdown", { reason: "quit" })), undefined);
	assert.equal(pi.requests("session_shutdown").length, 1);
});

test("a command is judged whole, however long", async () => {
	limit(LIMIT);
	const rules = { version: "1", block: examples("block_rules").rules };
	const pi = await started({ before_agent_start: { rules } });
	await pi.fire("before_agent_start", prompt("x"));
	const bash = (command: string, more: Anything = {}) =>
		pi.fire("tool_call", { toolName: "bash", toolCallId: command.slice(0, 9), input: { command, ...more } });
	const text = (size: number) => `cat > x <<'E'\n${"data\n".repeat(size / 5)}E\ngit add .`;
	assert.equal(await bash(text(90_000)), undefined, "serve judges it");
	assert.equal(pi.requests("tool_call")[0].payload.input.command, text(90_000));
	assert.match((await bash(text(110_000))).reason, /more than 100000 characters/);
	const filler = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, "x".repeat(90_000)]));
	assert.match((await bash(text(90_000), filler)).reason, /cannot be judged/);
	assert.equal(pi.requests("tool_call").length, 1);
	pi.answer({}, "hang");
	assert.equal((await bash(text(90_000))).reason, "add");
	assert.equal(isTooLong({ content: "x".repeat(2_000_000) }), false, "what is no command is cut");
});

test("a slow answer is waited for while serve shows life", async () => {
	limit(LIMIT);
	const pi = await started();
	pi.answer({ tool: { text: "Found 1." }, tool_call: { block: true, reason: "late" } }, "slow");
	const search = pi.tools.get("memory_search").execute("c", {}, undefined, undefined, pi.ctx);
	assert.equal(await pi.fire("tool_call", { toolName: "bash", toolCallId: "1", input: {} }), undefined);
	assert.equal((await search).content[0].text, "Found 1.");
});

test("a turn names its tools, and those that were stopped", async () => {
	const pi = await started({ tool_call: { block: true, reason: "No." } });
	await pi.fire("tool_call", { toolName: "bash", toolCallId: "1", input: { command: "rm" } });
	const called = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: { command: "x".repeat(5000) } });
	const toolResults = [{ toolCallId: "2", isError: true }];
	await pi.fire("turn_end", { turnIndex: 3, toolResults, messageEntryId: "ab", message: assistant("Hm.", [called("1"), called("2")]) });
	const { tools, ...payload } = pi.requests("turn_end")[0].payload;
	const input = { command: "x".repeat(4000) };
	assert.deepEqual(tools, [
		{ tool: "bash", call: "1", input, is_error: false, ran: false },
		{ tool: "bash", call: "2", input, is_error: true, ran: true },
	]);
	assert.deepEqual(payload, { session: SESSION, cwd: CWD, turn: 3, outcome: "completed", text: "Hm.", by_user: true, retried: false, available: ["bash", "read"], entry: "ab" });
});

test("a serve that died is started again, and hears what it missed", async () => {
	const pi = await started();
	await pi.fire("tool_call", { toolName: "bash", toolCallId: "done", input: { command: "ls" } });
	await pi.fire("tool_result", { toolName: "bash", toolCallId: "done", input: {}, content: [], isError: false });
	await pi.fire("tool_call", { toolName: "bash", toolCallId: "runs", input: { command: "ls" } });
	const [first] = pi.started();
	process.kill(first as number, "SIGKILL");
	await new Promise((resolve) => setTimeout(resolve, 200));
	await pi.fire("tool_call", { toolName: "bash", toolCallId: "lost", input: { command: "ls" } });
	await pi.fire("tool_result", { toolName: "bash", toolCallId: "lost", input: {}, content: [], isError: false });
	await pi.until(() => {
		pi.fire("input", { text: "again", source: "interactive" });
		return pi.requests("session_start").length === 2;
	});
	const { reason, missed } = pi.requests("session_start")[1].payload;
	assert.equal(reason, "restart");
	assert.deepEqual(missed.map((one: Anything) => [one.call, one.tool, typeof one.ended]), [
		["runs", "bash", "undefined"],
		["lost", "bash", "number"],
	]);
	assert.equal(pi.started().length, 2);
	await pi.fire("tool_call", { toolName: "bash", toolCallId: "after", input: { command: "ls" } });
	process.kill(pi.started()[1] as number, "SIGKILL");
	await pi.until(() => {
		pi.fire("input", { text: "again", source: "interactive" });
		return pi.requests("session_start").length === 3;
	});
	const still = pi.requests("session_start")[2].payload.missed.map((one: Anything) => one.call);
	assert.deepEqual(still, ["runs", "after"], "what was told and is over is not told again");
});

test("the first answer of a serve that starts slowly is waited for", async () => {
	limit(LIMIT);
	const pi = new FakePi();
	pis.push(pi);
	pi.answer({ before_agent_start: { sections: { project_memory: "x" } } }, "late");
	await pi.load();
	await pi.fire("session_start", { reason: "startup" });
	const event = prompt("x");
	await pi.fire("before_agent_start", event);
	assert.deepEqual(event.systemPromptOptions.sections, { project_memory: "x" });
});

test("an older Pi asks the model only when it is known what the turn before was told", async () => {
	limit(LIMIT);
	const pi = new FakePi();
	pis.push(pi);
	pi.old = true;
	await pi.start();
	pi.answer({ turn_end: { messages: [{ customType: "vaultmem", content: "a" }], retry: true } }, "slow");
	const told = pi.fire("turn_end", { turnIndex: 0, toolResults: [], message: assistant("Done.") });
	await pi.fire("context", { messages: [] });
	assert.equal(pi.sent.length, 0, "a slow answer costs one limit");
	await told;
	pi.answer({ turn_end: { messages: [{ customType: "vaultmem", content: "a" }], retry: true } });
	pi.fire("turn_end", { turnIndex: 0, toolResults: [], message: assistant("Done.") });
	await pi.fire("context", { messages: [] });
	assert.equal(pi.sent.length, 1);
	assert.equal((await started()).handlers.has("context"), false);
});

test("an older Pi does not say how a turn ended", async () => {
	const pi = await started();
	for (const stopReason of ["stop", "aborted", "error"]) {
		await pi.fire("turn_end", { turnIndex: 0, toolResults: [], message: { ...assistant("Hm."), stopReason } });
	}
	const outcomes = pi.requests("turn_end").map((one) => one.payload.outcome);
	assert.deepEqual(outcomes, ["completed", "aborted", "error"]);
});

test("nothing that serve answers breaks a turn", async () => {
	const pi = await started();
	pi.answer({}, "garbage");
	const message = assistant("Done.");
	const results = [
		await pi.fire("before_agent_start", prompt("x")),
		await pi.fire("tool_call", { toolName: "bash", toolCallId: "1", input: { command: "ls" } }),
		await pi.fire("tool_result", { toolName: "bash", toolCallId: "1", input: {}, content: [], isError: false }),
		await pi.fire("message_end", { message }),
		await pi.fire("turn_end", { turnIndex: 0, toolResults: [], message }),
	];
	assert.deepEqual(results, [undefined, undefined, undefined, undefined, undefined]);
});

test("an interpreter that is gone breaks nothing, and the person is told once", async () => {
	const pi = new FakePi();
	await pi.load();
	pi.ctx.cwd = "/nowhere/at/all";
	await pi.fire("session_start", { reason: "startup" });
	await pi.until(() => pi.shown.length === 1);
	assert.match(pi.shown[0] as string, /^vaultmem does not answer, .*`vaultmem pi status`/);
	assert.equal(await pi.fire("before_agent_start", prompt("x")), undefined);
	await assert.rejects(pi.tools.get("memory_search").execute("c", {}, undefined, undefined, pi.ctx), /does not answer/);
	await new Promise((resolve) => setTimeout(resolve, 1200));
	await pi.fire("before_agent_start", prompt("x")); // which tries it again
	await new Promise((resolve) => setTimeout(resolve, 100));
	assert.equal(pi.shown.length, 1);
	await pi.fire("session_shutdown", { reason: "quit" });
});

test("a serve that never answers is told once, at the start, and not in print mode", async () => {
	limit(LIMIT / 3);
	for (const [mode, times] of [["tui", 1], ["rpc", 1], ["print", 0]] as const) {
		const pi = new FakePi(mode);
		pis.push(pi);
		pi.answer({}, "hang");
		await pi.load();
		await pi.fire("session_start", { reason: "startup" });
		await pi.fire("before_agent_start", prompt("x"));
		await new Promise((resolve) => setTimeout(resolve, LIMIT));
		assert.equal(pi.shown.length, times, mode);
	}
});

test("serve ends with the session", async () => {
	const pi = await started();
	assert.equal(process.env["VAULTMEM_AGENT_PID"], String(process.pid), "by which a sub-agent knows itself");
	await pi.fire("session_shutdown", { reason: "quit" });
	assert.equal(pi.requests("session_shutdown").length, 1);
	await pi.until(() => pi.log().some((one) => one.ended));
});

test("a sub-agent starts no serve, has no tools, and gets the report and its rules by one call", async () => {
	process.env["PI_SUBAGENT_CHILD"] = "1";
	const { answer } = examples("before_agent_start").cases[1];
	const pi = new FakePi();
	pi.answer({ before_agent_start: answer.result });
	await pi.load();
	await pi.fire("session_start", { reason: "startup" });
	const event = prompt("list the files");
	await pi.fire("before_agent_start", event);
	assert.deepEqual(event.systemPromptOptions.sections, answer.result.sections);
	assert.deepEqual(pi.log().map((one) => one.started ?? one.hook ?? "end"), ["hook", "before_agent_start", "end"]);
	assert.equal(pi.log()[1].payload.sub_agent, true);
	assert.deepEqual([pi.tools.size, pi.commands.size], [0, 0]);
	assert.equal((await pi.fire("tool_call", { toolName: "bash", toolCallId: "1", input: { command: "git add ." } })).block, true);
});

test("who started this Pi decides whether it is a sub-agent", () => {
	assert.equal(isNested({}, 7), false);
	assert.equal(isNested({ VAULTMEM_AGENT_PID: "7" }, 7), false);
	assert.equal(isNested({ VAULTMEM_AGENT_PID: "6" }, 7), true);
	assert.equal(isNested({ PI_SESSION_ID: "x" }, 7), true);
	assert.equal(isNested({ PI_SUBAGENT_CHILD: "1" }, 7), true);
});

test("texts are cut, and a message is never longer than the protocol allows", () => {
	assert.deepEqual(cut({ a: "xyz", b: ["abc", 3, null] }, 2), { a: "xy", b: ["ab", 3, null] });
	assert.equal(cut("😀", 1), "\ufffd");
	let deep: Anything = "end";
	for (let at = 0; at < 20; at++) deep = { deep };
	assert.ok(JSON.stringify(cut(deep, 10)).includes("null"));
	const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, "é".repeat(20_000)]));
	const line = requestLine(1, "tool_call", { input: many }) as string;
	assert.ok(Buffer.byteLength(line) <= 1024 * 1024);
	assert.equal(JSON.parse(line).payload.input.k99.length, 4096);
	const hopeless = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, "x".repeat(1000)]));
	assert.equal(requestLine(1, "tool_call", { input: hopeless }), undefined);
});

test("without its runtime file the extension does nothing", async () => {
	const pi = new FakePi();
	const { unlinkSync } = await import("node:fs");
	unlinkSync(pi.runtime);
	await pi.load();
	assert.equal(pi.handlers.size, 0);
});
