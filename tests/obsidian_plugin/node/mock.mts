/**
 * As much of Obsidian as the plugin uses, over a real folder: the documented behaviour of the calls
 * (typings 1.13, facts/obsidian.md section 3.3), nothing else.
 */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

type Parse = (text: string) => unknown;
type Properties = Record<string, unknown>;

interface Command {
	id: string;
	name: string;
	callback?: () => void;
	checkCallback?: (checking: boolean) => boolean;
}

export class TFile {
	readonly path: string;
	readonly name: string;
	readonly stat: { mtime: number };
	constructor(root: string, path: string) {
		this.path = path;
		this.name = basename(path);
		this.stat = { mtime: statSync(join(root, path)).mtimeMs };
	}
}

export class MarkdownView {
	readonly file: TFile;
	readonly #save: () => void;
	constructor(file: TFile, save: () => void) {
		this.file = file;
		this.#save = save;
	}
	async save(): Promise<void> {
		this.#save();
	}
}

export class Plugin {
	readonly app: App;
	readonly commands = new Map<string, Command>();
	constructor(app: App) {
		this.app = app;
	}
	addCommand(command: Command): Command {
		this.commands.set(command.id, command);
		return command;
	}
}

/** What a test says about this run. */
export interface Wish {
	vault: string;
	active: string | null;
	/** Ids of commands, run one after the other. */
	run: string[];
	/** The note that is chosen in a list. */
	choose?: string;
	/** What the editor holds and has not saved: a text that is put at the note's end. */
	typed?: string;
	/** The type that Obsidian still believes a note to have, which waits for a decision. */
	believed?: string;
	/** Somebody saves between the plugin's look and its write. */
	meanwhile?: string;
}

export class App {
	readonly said: string[] = [];
	readonly shown: string[] = [];
	readonly written: string[] = [];
	readonly #wish: Wish;
	readonly #parse: Parse;
	#typed: string;

	constructor(wish: Wish, parse: Parse) {
		this.#wish = wish;
		this.#parse = parse;
		this.#typed = wish.typed ?? "";
	}

	get choose(): string | undefined {
		return this.#wish.choose;
	}

	#place(file: TFile): string {
		return join(this.#wish.vault, file.path);
	}

	readonly vault = {
		getMarkdownFiles: (): TFile[] =>
			readdirSync(this.#wish.vault, { recursive: true, withFileTypes: true })
				.filter((one) => one.isFile() && one.name.endsWith(".md"))
				.map((one) => join(one.parentPath, one.name).slice(this.#wish.vault.length + 1))
				.filter((path) => !path.split("/").some((part) => part.startsWith(".")))
				.map((path) => new TFile(this.#wish.vault, path)),
		readBinary: async (file: TFile): Promise<ArrayBuffer> => {
			const bytes = new Uint8Array(readFileSync(this.#place(file)));
			if (this.#wish.meanwhile !== undefined) {
				writeFileSync(this.#place(file), this.#wish.meanwhile, { flag: "a" });
			}
			return bytes.buffer;
		},
		/** Reads, calls and writes without a pause; a byte order mark and odd bytes are lost. */
		process: async (file: TFile, change: (text: string) => string): Promise<string> => {
			const text = new TextDecoder().decode(readFileSync(this.#place(file)));
			const changed = change(text);
			writeFileSync(this.#place(file), changed);
			this.written.push(file.path);
			return changed;
		},
	};

	readonly metadataCache = {
		getFileCache: (file: TFile): { frontmatter?: Properties } | null => {
			if (this.#wish.believed !== undefined && file.path === this.#wish.active) {
				return { frontmatter: { type: this.#wish.believed, decision: null } };
			}
			const text = readFileSync(this.#place(file), "utf-8");
			const inner = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text)?.[1];
			try {
				const found = inner === undefined ? null : this.#parse(inner);
				if (typeof found === "object" && found !== null) {
					return { frontmatter: { ...found } };
				}
			} catch {
				// The cache may be older than a note that was broken a moment ago.
			}
			const type = /^type: (\w+)/m.exec(text)?.[1];
			return type === undefined ? {} : { frontmatter: { type, decision: null } };
		},
		getFirstLinkpathDest: (target: string, _from: string): TFile | null =>
			this.vault.getMarkdownFiles().find((one) => `/${one.path}`.endsWith(`/${target}.md`)) ?? null,
		/** The shortest path that is unique. */
		fileToLinktext: (file: TFile): string => {
			const same = this.vault.getMarkdownFiles().filter((one) => one.name === file.name);
			return (same.length > 1 ? file.path : file.name).replace(/\.md$/, "");
		},
	};

	readonly workspace = {
		getActiveFile: (): TFile | null => (this.#wish.active === null ? null : new TFile(this.#wish.vault, this.#wish.active)),
		getLeavesOfType: (type: string): { view: MarkdownView }[] => {
			const file = this.workspace.getActiveFile();
			return type !== "markdown" || file === null ? [] : [{ view: new MarkdownView(file, () => this.#saveTyped(file)) }];
		},
		getRightLeaf: (_split: boolean) => ({
			openFile: async (file: TFile, view: { active?: boolean; state?: Properties }): Promise<void> => {
				this.shown.push(`${file.path} ${String(view.state?.["mode"])}`);
			},
		}),
		getLeaf: (where: string) => ({
			openFile: async (file: TFile): Promise<void> => {
				this.shown.push(`${file.path} ${where}`);
			},
		}),
		revealLeaf: async (_leaf: unknown): Promise<void> => {},
	};

	#saveTyped(file: TFile): void {
		writeFileSync(this.#place(file), this.#typed, { flag: "a" });
		this.#typed = "";
	}
}

class FuzzySuggestModal {
	readonly app: App;
	constructor(app: App) {
		this.app = app;
	}
	setPlaceholder(_text: string): void {}
	getItems(): TFile[] {
		return [];
	}
	getItemText(_item: TFile): string {
		return "";
	}
	onChooseItem(_item: TFile): void {}
	open(): void {
		const offered = this.getItems();
		this.app.shown.push(...offered.map((one) => this.getItemText(one)));
		const chosen = offered.find((one) => one.path === this.app.choose);
		if (chosen !== undefined) {
			this.onChooseItem(chosen);
		}
	}
}

/** The library that Obsidian reads properties with, from the installed packages. */
export function yamlOf(modules: string): Parse {
	const parse: unknown = createRequire(join(modules, "x.cjs"))("yaml").parse;
	if (typeof parse !== "function") {
		throw new Error("yaml is not installed");
	}
	return (text) => parse(text, { logLevel: "error" });
}

/** What `require("obsidian")` gives the plugin. */
export function obsidian(app: App, parse: Parse): Record<string, unknown> {
	class Notice {
		readonly messageEl = { addClass: (_name: string): void => {} };
		constructor(text: string) {
			app.said.push(text);
		}
	}
	return { FuzzySuggestModal, MarkdownView, Notice, parseYaml: parse, Plugin, TFile };
}
