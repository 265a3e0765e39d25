/** Changes one note through `Vault.process`, and only if every other byte of it stays. */

import { MarkdownView, type App, type TFile } from "obsidian";

import { RefusedError } from "./refused.ts";

/**
 * Put `change` of the note's text in its place.
 *
 * The text is decoded here from the bytes on disk. Obsidian has to hand the same text to
 * `Vault.process`, else something of it would be lost (a byte order mark, bytes that are no UTF-8)
 * or somebody saved in between.
 *
 * @returns whether anything was written.
 */
export async function changeNote(app: App, file: TFile, change: (text: string) => string): Promise<boolean> {
	await saveEditors(app, file);
	const text = decoded(await app.vault.readBinary(file));
	const changed = change(text);
	if (changed === text) {
		return false;
	}
	await app.vault.process(file, (now) => {
		if (now !== text) {
			throw new RefusedError("The note was changed at the same moment.", "Run the command again.");
		}
		return changed;
	});
	return true;
}

/** What was typed and not saved yet belongs to the note. */
async function saveEditors(app: App, file: TFile): Promise<void> {
	for (const leaf of app.workspace.getLeavesOfType("markdown")) {
		if (leaf.view instanceof MarkdownView && leaf.view.file?.path === file.path) {
			await leaf.view.save();
		}
	}
}

function decoded(bytes: ArrayBuffer): string {
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new RefusedError("The note is not UTF-8 text.", "Save it as UTF-8 first.", 1);
	}
	if (text.startsWith("\uFEFF")) {
		throw new RefusedError("The note begins with a byte order mark, which Obsidian may drop.", "Set the property by hand.", 1);
	}
	return text;
}
