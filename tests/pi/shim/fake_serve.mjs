// Stands for `python -I -m vaultmem.hooks serve|hook EVENT`: answers as a file says, and logs what it was asked.
// The file is read at each line: {answers: {EVENT: RESULT}, mode: "answer" | "late" | "slow" | "hang" | "garbage"}.
import { appendFileSync, readFileSync } from "node:fs";

const [control, log, kind, event] = process.argv.slice(2);
const told = () => JSON.parse(readFileSync(control, "utf8"));
const note = (what) => appendFileSync(log, `${JSON.stringify(what)}\n`);
note({ started: kind, pid: process.pid });
const LIMIT = Number(process.env.VAULTMEM_PI_LIMIT_MS);
if (told().mode === "late") await new Promise((resolve) => setTimeout(resolve, 1.5 * LIMIT));

let text = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (part) => {
	text += part;
	const lines = text.split("\n");
	text = lines.pop();
	for (const line of lines) answer(JSON.parse(line));
});
process.stdin.on("end", () => {
	if (kind === "hook" && told().mode === "hang") return hang();
	if (kind === "hook") {
		note({ hook: event, payload: JSON.parse(text) });
		process.stdout.write(`${JSON.stringify({ result: told().answers[event] ?? {} })}\n`);
	}
	note({ ended: process.pid });
	process.exit(0);
});

// Only what cannot be refused ends it, and in the end it does, so that no test leaves it behind.
function hang() {
	process.on("SIGTERM", () => {});
	setTimeout(() => process.exit(1), 120_000);
}

function answer(request) {
	note(request);
	const { answers, mode } = told();
	if (mode === "hang") return;
	if (mode === "garbage") {
		process.stdout.write(`nonsense\n${JSON.stringify({ v: 1, id: request.id, result: { rules: 3, sections: 4, messages: "x", notices: 5 } })}\n`);
		return;
	}
	const given = answers[request.event];
	const body = given?.error ? { error: given.error } : { result: given ?? {} };
	const line = `${JSON.stringify({ v: 1, id: request.id, ...body })}\n`;
	if (mode === "slow" && request.event !== "rules") setTimeout(() => process.stdout.write(line), 3 * LIMIT);
	else process.stdout.write(line);
}
