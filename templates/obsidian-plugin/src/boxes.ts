/** Ticks the boxes of a patch note; nothing but the character between the brackets changes. */

const BOX = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[) (\][ \t]+[^\p{L}\p{N}_%]*op_\d{3,6}(?!\w))/u;
const FENCE = /^[ \t]*(?:>[ \t]*)*(`{3,}|~{3,})(.*)$/;
const COMMENT_MARK = /%%|<!--|-->/g;

/** The note with every empty box of an operation ticked, outside of its properties, of code and of comments. */
export function tickOperations(text: string, bodyStart: number): { text: string; ticked: number } {
	let fence = "";
	let comment = "";
	let ticked = 0;
	const lines = text.slice(bodyStart).split("\n");
	const done = lines.map((line) => {
		const [, run = "", behind = ""] = FENCE.exec(line) ?? [];
		if (fence !== "") {
			const closes = run.startsWith(fence) && behind.trim() === "";
			fence = closes ? "" : fence;
			return line;
		}
		if (run !== "" && comment === "" && !(run.startsWith("`") && behind.includes("`"))) {
			fence = run;
			return line;
		}
		const box = comment === "" ? BOX.exec(line) : null;
		comment = openAfter(comment, line);
		ticked += box === null ? 0 : 1;
		return box === null ? line : line.replace(BOX, "$1x$2");
	});
	return { text: text.slice(0, bodyStart) + done.join("\n"), ticked };
}

/** What ends the comment that is open behind a line, "" where none is. */
function openAfter(comment: string, line: string): string {
	let open = comment;
	for (const [mark] of line.matchAll(COMMENT_MARK)) {
		if (open !== "") {
			open = mark === open ? "" : open;
		} else if (mark !== "-->") {
			open = mark === "%%" ? mark : "-->";
		}
	}
	return open;
}
