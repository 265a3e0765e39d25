/** Ticks the boxes of a patch note; nothing but the character between the brackets changes. */

const BOX = /^([ \t]*(?:[-*+]|\d+[.)]) \[) (\] +\W*op_\d{3,6}(?!\w))/;
const FENCE = /^[ \t]*(?:>[ \t]*)*(`{3,}|~{3,})(.*)$/;

/** The note with every empty box of an operation ticked, outside of its properties and of code. */
export function tickOperations(text: string, bodyStart: number): { text: string; ticked: number } {
	let fence = "";
	let ticked = 0;
	const lines = text.slice(bodyStart).split("\n");
	const done = lines.map((line) => {
		const [, run = "", behind = ""] = FENCE.exec(line) ?? [];
		if (fence !== "") {
			const closes = run.startsWith(fence) && behind.trim() === "";
			fence = closes ? "" : fence;
			return line;
		}
		if (run !== "" && !(run.startsWith("`") && behind.includes("`"))) {
			fence = run;
			return line;
		}
		const box = BOX.exec(line);
		ticked += box === null ? 0 : 1;
		return box === null ? line : line.replace(BOX, "$1x$2");
	});
	return { text: text.slice(0, bodyStart) + done.join("\n"), ticked };
}
