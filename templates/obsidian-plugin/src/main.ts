/**
 * Decide in Obsidian: commands that set a property or tick a box, for `vaultmem sync` to act on.
 *
 * The plugin starts no process, opens no connection, keeps no data and knows no rule of the memory.
 */

import { FuzzySuggestModal, Notice, parseYaml, Plugin, type App, type TFile } from "obsidian";

import { tickOperations } from "./boxes.ts";
import { changeNote } from "./change.ts";
import { DEEDS, isOffered } from "./deeds.ts";
import { isOurs, knowledgeNotes, linkTo, newestReport, openPromotion, propertiesOf, type Properties } from "./places.ts";
import { RefusedError } from "./refused.ts";
import { readBlock, setProperty } from "./splice.ts";
import type { Value } from "./spelling.ts";

const NEXT = "`vaultmem sync` (or `watch`) applies it.";
const UNTIL_CLOSED = 0;

export default class VaultmemPlugin extends Plugin {
	override onload(): void {
		for (const deed of DEEDS) {
			this.#offer(deed.id, deed.name, (properties) => isOffered(deed, properties), (file) =>
				this.#set(file, deed.type, deed.key, deed.value),
			);
		}
		const isOpen = (properties: Properties) => properties["type"] === "patch" && "decision" in properties;
		this.#offer("tick-patch", "Tick all operations of this patch", isOpen, (file) => this.#tick(file));
		this.#offer("link-knowledge", "Insert a knowledge note as vault_ref", ({ type }) => type === "memory", (file) => this.#link(file));
		this.#offer("promote", "Promote this memory", ({ type }) => type === "memory", (file) => this.#promote(file));
		this.addCommand({ id: "report", name: "Show the newest report", callback: () => this.#guard(() => this.#report()) });
	}

	/** Add a command that is there for the notes that `wanted` takes, and tells what refuses it. */
	#offer(
		id: string,
		name: string,
		wanted: (properties: Properties) => boolean,
		act: (file: TFile) => Promise<void> | void,
	): void {
		const checkCallback = (checking: boolean): boolean => {
			const file = this.app.workspace.getActiveFile();
			if (file === null || !wanted(propertiesOf(this.app, file)) || !isOurs(this.app, file)) {
				return false;
			}
			if (!checking) {
				this.#guard(() => act(file), file);
			}
			return true;
		};
		this.addCommand({ id, name, checkCallback });
	}

	/** Do it; what is refused, or fails, is told with its line, and nothing was written. */
	#guard(act: () => Promise<void> | void, file?: TFile): void {
		Promise.resolve()
			.then(act)
			.catch((error: unknown) => {
				const refused = error instanceof RefusedError;
				const line = refused && error.line !== null ? `, line ${error.line}` : "";
				const where = file === undefined ? "" : `${file.path}${line}: `;
				const said = error instanceof Error ? error.message : String(error);
				say(`${where}${said} ${refused ? error.remedy : "Nothing was written."}`, UNTIL_CLOSED);
			});
	}

	async #set(file: TFile, type: string, key: string, value: Value): Promise<void> {
		const wrote = await this.#change(file, type, (text) => setProperty(text, key, value, parseYaml));
		say(wrote ? `Wrote \`${key}: ${value}\`. ${NEXT}` : `\`${key}\` is \`${value}\` already.`);
	}

	async #tick(file: TFile): Promise<void> {
		let ticked = 0;
		await this.#change(file, "patch", (text, bodyStart) => {
			const done = tickOperations(text, bodyStart);
			ticked = done.ticked;
			return done.text;
		});
		say(ticked > 0 ? `Ticked ${ticked}. They wait for the command "Apply this patch".` : "There is no empty box.");
	}

	/** Change the note if it still is of that type; what Obsidian believes may be old. */
	#change(file: TFile, type: string, change: (text: string, bodyStart: number) => string): Promise<boolean> {
		return changeNote(this.app, file, (text) => {
			const block = readBlock(text, parseYaml);
			if (block.properties.get("type") !== type) {
				throw new RefusedError(`The note is no ${type} any more.`, "Look at it first.", 1);
			}
			return change(text, block.end);
		});
	}

	#link(memory: TFile): void {
		new NoteChooser(this.app, (note) =>
			this.#guard(() => this.#set(memory, "memory", "vault_ref", linkTo(this.app, note, memory)), memory),
		).open();
	}

	/**
	 * Open the proposal that waits, to be accepted or rejected with its own commands.
	 *
	 * What a memory may become is worked out by vaultmem, and no property asks for it.
	 */
	async #promote(file: TFile): Promise<void> {
		const waiting = openPromotion(this.app, file);
		if (waiting !== null) {
			await this.app.workspace.getLeaf("tab").openFile(waiting);
			say("This promotion waits for you. Accept or reject it here.");
			return;
		}
		const id: unknown = propertiesOf(this.app, file)["id"];
		const said = typeof id === "string" && /^\w+$/.test(id)
			? `Run \`vaultmem promote propose ${id} --to FORM\` in a terminal; it writes a proposal that you decide on here.`
			: "The memory has no id yet. Run `vaultmem sync` first.";
		say(said, UNTIL_CLOSED);
	}

	async #report(): Promise<void> {
		const report = newestReport(this.app);
		const leaf = report === null ? null : this.app.workspace.getRightLeaf(false);
		if (report === null || leaf === null) {
			say("There is no report in this vault. Run `vaultmem render` in a terminal.", UNTIL_CLOSED);
			return;
		}
		await leaf.openFile(report, { active: false, state: { mode: "preview" } });
		await this.app.workspace.revealLeaf(leaf);
	}
}

/** Tell the person; what is to be copied or corrected stays until it is clicked away. */
function say(text: string, duration?: number): void {
	new Notice(text, duration).messageEl.addClass("vaultmem-said");
}

/** Lets the person choose one of their own notes. */
class NoteChooser extends FuzzySuggestModal<TFile> {
	readonly #chosen: (note: TFile) => void;

	constructor(app: App, chosen: (note: TFile) => void) {
		super(app);
		this.#chosen = chosen;
		this.setPlaceholder("The note that says more about this memory");
	}

	override getItems(): TFile[] {
		return knowledgeNotes(this.app);
	}

	override getItemText(note: TFile): string {
		return note.path;
	}

	override onChooseItem(note: TFile): void {
		this.#chosen(note);
	}
}
