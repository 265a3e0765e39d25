/** Where things lie: the memory root by its settings note, the newest report, and a link to a note. */

import type { App, TFile } from "obsidian";

import { RefusedError } from "./refused.ts";

/** What stands between the `---` of a note, by name. */
export type Properties = Readonly<Record<string, unknown>>;

/** The properties of a note as Obsidian knows them; empty where it has none. */
export function propertiesOf(app: App, file: TFile): Properties {
	return app.metadataCache.getFileCache(file)?.frontmatter ?? {};
}

/** The folders that hold a memory, each ending in `/`: those with a settings note of vaultmem. */
export function memoryRoots(app: App): string[] {
	const settings = app.vault.getMarkdownFiles().filter((file) => file.name === "Settings.md");
	const ours = settings.filter((file) => propertiesOf(app, file)["type"] === "settings");
	return ours.map((file) => file.path.slice(0, -file.name.length)).filter((folder) => folder !== "");
}

/** Whether the note lies in a memory; nobody reads the properties of another one, as of a template. */
export function isOurs(app: App, file: TFile): boolean {
	return memoryRoots(app).some((root) => file.path.startsWith(root));
}

/** The note that vaultmem wrote last into `System/Reports`, or null. */
export function newestReport(app: App): TFile | null {
	const folders = memoryRoots(app).map((root) => `${root}System/Reports/`);
	const reports = app.vault.getMarkdownFiles().filter((file) => folders.some((folder) => file.path.startsWith(folder)));
	return reports.reduce<TFile | null>((newest, file) => (newest === null || file.stat.mtime > newest.stat.mtime ? file : newest), null);
}

/** The promotion of a memory that waits for a decision, or null; vaultmem makes one where it is earned. */
export function openPromotion(app: App, memory: TFile): TFile | null {
	const about = (file: TFile): boolean => {
		const { type, memory: link, decision } = propertiesOf(app, file);
		const target = typeof link === "string" ? /^\[\[([^\]|#]+)/.exec(link)?.[1] : undefined;
		if (type !== "promotion" || decision === undefined || target === undefined) {
			return false;
		}
		return app.metadataCache.getFirstLinkpathDest(target, file.path)?.path === memory.path;
	};
	const folders = memoryRoots(app).map((root) => `${root}Promotions/`);
	return app.vault.getMarkdownFiles().find((file) => folders.some((folder) => file.path.startsWith(folder)) && about(file)) ?? null;
}

/** The person's own notes, which a memory may link. */
export function knowledgeNotes(app: App): TFile[] {
	const roots = memoryRoots(app);
	return app.vault.getMarkdownFiles().filter((file) => !roots.some((root) => file.path.startsWith(root)));
}

/** A wikilink from one note to another, as short as is unique. */
export function linkTo(app: App, target: TFile, from: TFile): string {
	const name = app.metadataCache.fileToLinktext(target, from.path, true);
	if (/[[\]|#^]|%%/.test(name)) {
		throw new RefusedError(`No link can hold the name "${target.path}".`, "Rename the note first.");
	}
	return `[[${name}]]`;
}
