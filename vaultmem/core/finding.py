"""A finding: something wrong or notable, with the one place that lists every code."""

# ruff: noqa: E501
# A code is one row, however long: the table is read and searched by its columns.

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a finding matters: all but `info` make `doctor` answer "not ok"."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(NamedTuple):
    """What a finding code means; `docs/reference/findings.md` is generated from these."""

    severity: Severity
    meaning: str
    remedy: str


class Finding(NamedTuple):
    """One occurrence. `path` is relative to the vault, `line` counts from 1."""

    code: str
    severity: Severity
    path: str | None
    line: int | None
    message: str
    remedy: str

    @property
    def sentence(self) -> str:
        """What is wrong and what to do next, as one text."""
        return f"{self.message} {self.remedy}"

    @property
    def placed(self) -> str:
        """The same behind the path that it is about."""
        return f"{self.path}: {self.sentence}" if self.path else self.sentence


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

# fmt: off
CODES: dict[str, Code] = {
    # VM1xx: reading one note
    "VM101": Code(_E, "The note is not valid UTF-8.", "Save it as UTF-8 in your editor."),
    "VM102": Code(_E, "The properties block is not closed.", "Add a line `---` after the properties."),
    "VM103": Code(_E, "The properties are not valid YAML.", "Correct the line; Obsidian's source mode shows it."),
    "VM104": Code(_E, "A property is written twice.", "Keep one of the two lines."),
    "VM105": Code(_E, "Two property names differ only in case.", "Keep one of the two names."),
    "VM106": Code(_E, "The properties are too large or nested too deep.", "Move the text into the body."),
    "VM107": Code(_E, "The properties are not a list of `name: value` lines.", "Write each property as `name: value`."),
    "VM108": Code(_E, "The note holds git conflict markers.", "Resolve the conflict and remove the markers."),
    "VM109": Code(_E, "The note has no statement.", "Write the statement as the first paragraph."),
    "VM110": Code(_E, "A property has a value that its type does not allow.", "Use one of the allowed values."),
    "VM111": Code(_E, "The note cannot be opened.", "Check its permissions."),
    "VM112": Code(_W, "The note is larger than 1 MB; only its head and headings are searched.", "Split it if all of it should be found."),
    "VM113": Code(_W, "The id has the wrong form.", "Remove the `id` line; the next sync gives the note a new one."),
    "VM114": Code(_W, "Hidden text was left out of the memory.", "Write it as visible text if it should count."),
    "VM115": Code(_E, "The note is a symbolic link, which is never followed.", "Put a real file in its place."),
    "VM116": Code(_W, "A link target does not exist.", "Correct the link or remove the property."),
    "VM117": Code(_E, "The `type` is not that of this kind of note.", "Write the type that the message names, or move the note out of the memory root."),
    "VM118": Code(_I, "The note has no id yet.", "Nothing to do; the next sync gives it one."),
    "VM119": Code(_W, "A date names a time zone, which is ignored.", "Write your own clock time without a zone, as in 2026-11-29T21:00:00."),
    "VM120": Code(_W, "A property's name is not in lower case.", "Rename it in Obsidian, so that views and searches find it."),
    "VM121": Code(_W, "The note has more than 500 properties.", "Remove what you do not need; a plugin may have added them."),
    "VM122": Code(_W, "A decision that means nothing.", "Write approve, reject or defer."),
    # VM2xx: the user config, which vault, which project, settings, Obsidian's own settings
    "VM201": Code(_E, "The user config is not valid YAML; its defaults are used.", "Correct the line."),
    "VM202": Code(_W, "The user config holds an unknown key.", "Correct its spelling or remove it."),
    "VM203": Code(_W, "A key of the user config has a value that it does not allow.", "Use one of the allowed values."),
    "VM204": Code(_E, "The user config cannot be read; its defaults are used.", "Check the file and its permissions."),
    "VM205": Code(_W, "The project's settings name a vault that this machine does not trust; it is not used.", "If it is yours, run `vaultmem trust PATH`."),
    "VM206": Code(_W, "A parent folder is a vault that this machine does not trust; it is not used.", "If it is yours, run `vaultmem trust PATH`."),
    "VM207": Code(_W, "The vault at a trusted path is another one than was trusted; it is not used.", "If it is yours, run `vaultmem trust PATH` again."),
    "VM208": Code(_W, "The project's settings cannot be read or have a wrong value; they are not used.", "Correct or remove `.pi/settings.json`."),
    "VM209": Code(_W, "A memory root or its settings is a symbolic link, which is never followed.", "Put a real folder or file in its place."),
    "VM210": Code(_E, "The vault's settings cannot be read; the last ones that this machine knows hold, else the defaults.", "Correct `Settings.md` in Obsidian's source mode."),
    "VM211": Code(_W, "A setting has a value that it does not allow; the default is used.", "Use one of the allowed values."),
    "VM212": Code(_W, "The vault has no `Settings.md`; the defaults are used.", "Put the note back, or run `vaultmem init PATH`."),
    "VM213": Code(_W, "The setting `root` is not the folder that holds it.", "Correct the property, or move the folder back."),
    "VM214": Code(_W, "The vault's id has the wrong form and is not used.", "Put the id back; Obsidian's file recovery shows the old note."),
    "VM215": Code(_W, "A settings file of Obsidian cannot be read; it is left as it is.", "Open the vault in Obsidian, or repair the file."),
    "VM216": Code(_W, "An Excluded-files pattern cannot be used; it excludes nothing here.", "Write it without look-around and back references."),
    "VM217": Code(_I, "Obsidian shows a property of ours with another type; it is read all the same.", "Nothing to do, or change the type in Obsidian."),
    "VM218": Code(_W, "The project's settings claim the identity of another repository; they are not used.", "Remove `vaultmem.project` from `.pi/settings.json`."),
    "VM219": Code(_W, "The repository cannot be read; the project is named after its package or folder.", "Repair it; `git status` says what is wrong."),
    "VM221": Code(_E, "No vault can be used.", "Run `vaultmem init PATH`, or name one with `--vault`."),
    "VM222": Code(_I, "The vault asks for less care than this machine allows; the stricter value holds.", "Nothing to do; to have it here, write the key into this machine's user config."),
    "VM224": Code(_W, "A setting asks for less care and was changed while an agent could write; the last settings stay in force.", "Look at it, then run `vaultmem ratify PATH`, or put the old value back."),
    "VM225": Code(_W, "A number of the user config is beyond its bounds; the nearer bound holds.", "Write a number that the configuration page allows."),
    # VM3xx: what a sync met
    "VM301": Code(_W, "A sync program left a second copy of a note; it is not read.", "Compare it with the note, then delete one of the two."),
    "VM302": Code(_I, "A note of another type lies in a memory folder; it is left alone.", "Move it out of the memory root, or remove its `type`."),
    "VM303": Code(_I, "A memory lies outside the memory root; it is in force and never written.", "Move it back if vaultmem should keep it up to date."),
    "VM304": Code(_W, "Two notes have the same id; the copy is not in force.", "Delete the copy, or run `vaultmem doctor --fix` to give it its own id."),
    "VM305": Code(_I, "A note lies in the memory root, but in no folder of a category; it is no memory.", "Move it into Lessons, Decisions or another category, or out of the memory root."),
    "VM310": Code(_W, "The note was changed while an agent could write; the last version stays in force.", "Look at it, then run `vaultmem ratify PATH`, or put the old text back."),
    "VM311": Code(_W, "The same memory was deleted before; the note is not in force.", "Run `vaultmem ratify PATH` if it should be remembered after all."),
    "VM312": Code(_I, "A property that vaultmem keeps was changed by hand.", "Nothing to do; the next patch restores it."),
    "VM313": Code(_I, "A note of a deleted memory arrived late from another device; it is not in force.", "Nothing to do, or run `vaultmem ratify PATH` to bring it back."),
    "VM314": Code(_W, "A note was removed while an agent could write; its memory stays in force.", "Put the note back, or run `vaultmem ratify ID` to let it go."),
    "VM315": Code(_W, "What follows from your change could not be written into the note.", "Do what the message says, then run `vaultmem sync`."),
    "VM316": Code(_W, "A ledger lost lines; what they said still counts here.", "Restore the file from your backup or sync history."),
    "VM317": Code(_I, "A tool of the agent is running; differences wait until it ends.", "Run `vaultmem sync` again later."),
    "VM318": Code(_W, "A folder or a file name cannot be read.", "Check its permissions and its name."),
    "VM320": Code(_E, "Many memories have vanished at once; they stay in force.", "Put them back, or run `vaultmem sync --accept-deletions`."),
    "VM321": Code(_W, "The same memory was deleted before; an agent cannot bring it back.", "Ask the person whether it should be remembered after all."),
    "VM322": Code(_W, "The vault cannot be written; what was noticed waits on this machine.", "Make the vault writable, then run `vaultmem sync`."),
    "VM323": Code(_W, "A decision was written into a candidate by something other than the person; it does not count.", "If it is right, run `vaultmem inbox approve ID`."),
    "VM324": Code(_W, "A note came back of which everything was decided before, with another text; nothing is decided again.", "Copy what you want to keep to where it belongs, then delete the note."),
    "VM330": Code(_W, "A memory wants to act, but nobody has ratified this version; it only informs.", "Look at it, then run `vaultmem ratify ID`."),
    "VM331": Code(_W, "Two memories make the same statement.", "Delete one of the notes, or merge what they say."),
    "VM332": Code(_I, "A memory's category is not that of its folder.", "Move the note to its category's folder, or change the property."),
    "VM333": Code(_I, "A memory's note has vanished; the memory is deleted after seven days.", "Put the note back if you want to keep it."),
    "VM334": Code(_W, "Two notes of the vault have the same name, so links to it may change their target.", "Rename one of them in Obsidian."),
    "VM335": Code(_I, "A bug was recorded on this machine.", "Report it with the trace, then delete the file."),
    "VM336": Code(_W, "A memory holds in a project and names none, so it is told nowhere.", "Set `project` in its note, or `scope: global`."),
    "VM341": Code(_W, "A deletion is not finished.", "Do what the message says, then run `vaultmem sync`."),
    "VM342": Code(_W, "The text of a purged memory still stands here.", "Edit or delete the file."),
    # VM4xx: this machine's state, key and ledgers, and writes that were cut short
    "VM401": Code(_W, "Other users could reach a folder or file of this machine's state; that is corrected.", "Nothing to do."),
    "VM402": Code(_I, "The vault was found at a new path; this machine's state follows it.", "Nothing to do."),
    "VM403": Code(_W, "This device has no key for the vault, so ledgers cannot be checked here.", "Run `vaultmem key export` where the key is, then `vaultmem key import` here."),
    "VM404": Code(_E, "The key file of this device cannot be read.", "Run `vaultmem key import --replace` with the key of another device."),
    "VM405": Code(_W, "A ledger line has a wrong signature; nothing acts on it by itself.", "Remove the line if nobody of yours wrote it."),
    "VM406": Code(_W, "A ledger line is not signed; nothing acts on it by itself.", "Import the vault's key on the device that wrote it."),
    "VM407": Code(_W, "A ledger line cannot be read.", "Undo the edit, or remove the line."),
    "VM408": Code(_I, "The last ledger line was cut short by a crash or is still being synced.", "Nothing to do; the next line starts afresh."),
    "VM409": Code(_I, "Something was written after the signature of a ledger line; it is ignored.", "Remove it, or let the plugin leave the ledgers alone."),
    "VM410": Code(_W, "A ledger's properties were changed or cannot be read; its name is used instead.", "Undo the edit of the properties."),
    "VM411": Code(_W, "A write of ours was cut short after an editor had saved; the editor's version was put back.", "Look whether the note is as you want it."),
    "VM412": Code(_W, "A write of ours was cut short; this file holds a version that its note no longer has.", "Compare it with the note, copy what you miss, and delete it."),
    "VM413": Code(_W, "This machine's device id could not be read, so it has a new one.", "Nothing to do; ledgers of the old id are still counted."),
    # VM6xx: what the guards refuse, and what will not work as it was meant
    "VM601": Code(_E, "The text holds a secret, and secrets are never remembered.", "Say it without the secret: name where it is kept instead."),
    "VM602": Code(_W, "The text gives permission for once, and a memory would give it for ever.", "Use the permission now; if it should always hold, say so in those words."),
    "VM603": Code(_W, "The text holds for the task at hand only.", "Follow it now, remember it with the scope `task`, or say the rule behind it."),
    "VM604": Code(_W, "The text contradicts a memory.", "Ask the user which of the two holds; to replace the old one, add it again with `override_conflicts` (`--override-conflicts`)."),
    "VM605": Code(_W, "The text contradicts a pinned memory, which only the user can change.", "Ask the user to edit or unpin the memory."),
    "VM611": Code(_W, "A trigger is of an unknown kind and never fires.", "Begin it with bash_contains, bash_regex, tool_name or file_modified."),
    "VM612": Code(_W, "A trigger names nothing to look for and never fires.", "Write after its kind what it should look for."),
    "VM613": Code(_W, "A trigger names a shell command as a tool, so it never fires.", "Use `bash_contains` with the command."),
    "VM614": Code(_W, "A trigger matches far more than one action.", "Use `bash_contains` with the command that it is about."),
    "VM615": Code(_W, "A trigger's pattern cannot be used, so it never fires.", "Write a regular expression of at most 200 characters, or use `bash_contains`."),
    "VM616": Code(_W, "A memory has a trigger or an action without the other, so nothing happens.", "Add what is missing, or remove what is there."),
    "VM617": Code(_W, "An action is unknown, or lacks its command, so nothing happens.", "Write block, warn, or `run_after` and a command."),
    "VM618": Code(_W, "A verifier has a form that is never checked.", "Write `tool_called TOOL before COMMAND`."),
    # VM62x: evidence, and why a text was not captured
    "VM621": Code(_W, "A piece of evidence cannot be read; it supports nothing.", "Undo the edit; Obsidian's file recovery shows the old note."),
    "VM622": Code(_W, "A piece of evidence is no longer what was recorded; it supports nothing.", "Undo the edit; Obsidian's file recovery shows the old note."),
    "VM623": Code(_I, "Remembering is switched off here.", "Switch it on with `vaultmem on --write`."),
    "VM624": Code(_I, "Recalling is switched off here.", "Switch it on with `vaultmem on --read`."),
    "VM625": Code(_I, "The text repeats what vaultmem itself told; nothing was learned from it.", "Nothing to do; if more is meant, say it in other words."),
    "VM627": Code(_I, "The same was deleted before, so it waits for the person's decision.", "Run `vaultmem inbox approve ID` to bring it back, or `vaultmem inbox reject ID`."),
    "VM626": Code(_I, "It is known already, and was counted in this session, or today for an agent.", "Nothing to do; another session counts again, an agent's on another day."),
    "VM628": Code(_I, "The same is known already and contested; nothing was written.", "Run `vaultmem uncontest ID` to settle the doubt; an agent asks the person to."),
    "VM629": Code(_I, "The same is known already and was promoted; nothing was written.", "Look at it with `vaultmem show ID`; a person can set its `status` to active again."),
    "VM630": Code(_I, "The same was taken out of use before, and its note is still there.", "Look at it with `vaultmem show ID`, and at what replaced it if something did."),
    "VM631": Code(_I, "It contradicts a memory of another place, which goes on there.", "Look at that one with `vaultmem show ID`; edit or deprecate it if it is over."),
    # VM65x: reading a patch
    "VM650": Code(_W, "A decision on a patch that means nothing.", "Write apply, reject or defer."),
    "VM651": Code(_W, "A box holds another mark than a tick; its operation is not selected.", "Tick it with `x`, or clear it."),
    "VM652": Code(_E, "An operation was changed after it was proposed; it is not applied.", "Undo the edit, or reject the patch and make the change yourself."),
    "VM653": Code(_W, "The block of an operation is missing; it is not applied.", "Undo the edit; Obsidian's file recovery shows the old note."),
    "VM654": Code(_W, "An operation has no line with a box; it is not selected.", "Nothing to do, or write `- [x]` and its id above the block."),
    "VM655": Code(_W, "An operation stands twice in its patch.", "Delete the copy."),
    "VM656": Code(_W, "An entry of a list of decided patches cannot be read.", "Undo the edit; the ledgers still know what was decided."),
    "VM657": Code(_W, "An operation of a patch was not applied.", "Look at it with `vaultmem patch show ID`."),
    "VM658": Code(_W, "A decision was written into a patch by something other than the person; it does not count.", "If it is right, run `vaultmem patch apply ID` or `vaultmem patch reject ID`."),
    "VM659": Code(_W, "A patch was cut short and cannot go on yet.", "Do what the message says, then run `vaultmem sync`."),
    "VM660": Code(_I, "A decision on a patch that this device did not make waits ten minutes for another one.", "To have it done now, run `vaultmem patch apply ID` or `vaultmem patch reject ID`."),
    "VM661": Code(_W, "A patch is to be applied in which nothing is ticked; it stays open.", "Tick the operations that you want with `x`, or run `vaultmem patch apply ID --op OP`."),
    # VM7xx: what `doctor --diagnostics` finds when it compares everything with everything
    "VM701": Code(_W, "Of two memories, one of which replaced the other, only one says so.", "Write the missing link into the other note, or remove the one that is there."),
    "VM702": Code(_W, "A superseded memory has no successor.", "Link the memory that replaced it as `superseded_by`, or set its `status` to active or deprecated."),
    "VM703": Code(_W, "A memory that was replaced is still in force.", "Set its `status` to superseded, or remove the link `superseded_by`."),
    "VM711": Code(_W, "A link to evidence leads nowhere.", "Restore the evidence note from your backup or sync history; the memory itself stays as it is."),
    "VM712": Code(_W, "No device recorded a piece of evidence; it supports nothing.", "Remove the piece if nobody of yours wrote it."),
    "VM713": Code(_W, "Nothing rests on a piece of evidence.", "Nothing to do, or remove the piece from its note."),
    "VM714": Code(_W, "The file that a piece of evidence was taken from is gone.", "Look whether the memory still holds, then edit it or leave it."),
    "VM715": Code(_W, "The project of a memory is a folder that is gone.", "Correct the property `project`, or remove it if the memory holds everywhere."),
    "VM721": Code(_W, "No piece of a memory's evidence holds any more; look at it soon.", "Read the memory, then edit it, delete it, or leave it as your own word."),
    "VM722": Code(_W, "Some of a memory's evidence does not hold any more.", "Read the memory when you come across it."),
    "VM723": Code(_I, "A memory's evidence does not say what the memory says now.", "Nothing to do if you changed the statement; else read the two."),
    "VM731": Code(_W, "Two memories of one category mean the same.", "Delete one of the notes, or merge what they say."),
    "VM732": Code(_W, "Two memories in force contradict each other.", "Decide which one holds; delete the other one, or set its `status` to contested."),
    "VM733": Code(_I, "There are more alike memories than were compared.", "Settle the pairs that are reported, then run `vaultmem doctor --diagnostics` again."),
    "VM741": Code(_W, "A note differs from what this machine recorded, although its date says it did not change.", "Run `vaultmem doctor --diagnostics --fix`, which reads it again."),
    "VM742": Code(_E, "What this machine keeps of a memory is damaged.", "Run `vaultmem doctor --diagnostics --fix`, which reads its note again."),
    "VM743": Code(_W, "The search index does not hold what the notes say.", "Run `vaultmem reindex`."),
    "VM744": Code(_W, "The search index cannot be read or brought up to date.", "Run `vaultmem reindex` when no other vaultmem is running."),
    "VM751": Code(_E, "A memory was deleted, and it is in force.", "Run `vaultmem ratify ID` if it should be remembered after all; else delete the note."),
    "VM752": Code(_W, "A generated note cites a memory that was deleted.", "Remove the line; the next rewrite leaves it out."),
    "VM753": Code(_I, "A contested memory has the form of a hard rule; it is none until it is settled.", "Decide whether it holds, then set its `status` to active or deprecated."),
    "VM754": Code(_I, "A memory's time is over, and its status is still active; it is in no report.", "Nothing to do, or set its `status` to deprecated."),
    "VM761": Code(_E, "A note of the memory holds a secret.", "Take the secret out of the note and replace it where it is used."),
    # VM82x: links to knowledge
    "VM820": Code(_W, "A vault that is named for its knowledge is not there.", "Correct its path in the user config or in `PI_VAULT_PATH`, or take it out."),
    "VM821": Code(_W, "A vault that is named for its knowledge lies in the vault in use, or around it.", "Take it out; the notes of the vault in use count anyway."),
    "VM822": Code(_W, "The `vault_ref` of a memory is no link.", "Write it as `[[Note]]`, or remove it."),
    "VM823": Code(_I, "The name of a note holds what a link cannot, so it is never suggested.", "Rename it without `#`, `^`, `[`, `]`, `|` and a backslash if it should be linked."),
    # VM83x: promotions
    "VM830": Code(_W, "A decision on a promotion that means nothing.", "Write accept or reject."),
    "VM831": Code(_W, "A promotion does not say what it proposes.", "Undo the edit of `destination`, or delete the note."),
    "VM832": Code(_W, "A decision was written into a promotion by something other than the person; it does not count.", "If it is right, run `vaultmem promote accept ID` or `vaultmem promote reject ID`."),
    "VM833": Code(_W, "What was decided of a promotion cannot be done yet.", "Do what the message says, then run `vaultmem sync`."),
    # VM84x: questions for the person
    "VM841": Code(_W, "A question was written or changed by something other than the person; it stays open and is not told.", "If it is right, run `vaultmem maintain answer ID MEMORY` or `vaultmem maintain withdraw ID`; else delete the note."),
    "VM842": Code(_W, "The answer to a question names no note that is there.", "Correct the link in `answer`, or remove it to ask again."),
    # VM85x: guidelines for reviews
    "VM851": Code(_W, "Review guidelines were written while an agent could write; they are not told.", "See which with `vaultmem review guideline list`; add those that are right with `vaultmem review guideline add TEXT`."),
    # VM86x: outcomes
    "VM861": Code(_W, "The memory is not in force, so nothing was counted for it.", "Look at it with `vaultmem show ID`; add it again if it should be remembered."),
    "VM862": Code(_W, "An agent reinforces only what it was shown, in the session that it names.", "Look it up with `vaultmem search` and the same --session, or none, then run it again."),
    # VM91x: the extension in the agent Pi
    "VM910": Code(_W, "Pi loads an extension that is not of this version.", "Run `vaultmem pi install`, then start Pi again."),
    "VM911": Code(_E, "The Python that Pi's extension starts is gone, so Pi has no memory.", "Run `vaultmem pi install`, then start Pi again."),
    "VM912": Code(_W, "Pi's settings or its extension cannot be read.", "Do what the message says."),
    # VM92x: guardrails at run time
    "VM920": Code(_I, "A memory wants to run a command that this machine does not allow, so nothing runs.", "Add the command to `run_after` in the user config if it should run."),
    # VM94x: sessions of the agent
    "VM940": Code(_W, "A session file, or a folder of them, cannot be read.", "Check its permissions; what is known of it stays as it is."),
    # VM95x: the notebook
    "VM950": Code(_W, "A session could not be read into the notebook now.", "Run `vaultmem notebook extract --now` to try it at once."),
    "VM951": Code(_W, "A note below System/Sessions is no card, so the notebook is made without it.", "Restore it from your sync history, or delete it."),
    "VM952": Code(_W, "What this machine knew of the notebook was damaged and is set aside.", "Nothing to do: its cards were read from their notes, and the rest is found out anew."),
    "VM953": Code(_W, "The note of a session could not be written or deleted yet.", "Do what the message says; the next run of the notebook does it."),
    "VM954": Code(_W, "The note of a session was written by something other than the person; it is not read.", "Restore it from your sync history, or delete it."),
    "VM955": Code(_I, "The model wrote lines into the notebook that cite no session and no note; they were left out.", "Nothing to do; write a line yourself if you miss it."),
    "VM956": Code(_I, "A skill that the model wrote cannot be used; it stays as it was.", "Nothing to do, or write the skill yourself."),
    "VM957": Code(_W, "A dream had no answer of a model, so it proposed nothing new about memories.", "Nothing to do; a later dream asks again."),
    "VM958": Code(_W, "Work on the notebook failed.", "Wait: it is tried again, or run what the message names."),
    "VM959": Code(_W, "A line that you wrote into the notebook cites a task whose number is another one's now.", "Correct the number in your line, or name the session by its four characters."),
    # VM97x: the published notebook
    "VM970": Code(_W, "The versions of the notebook on this machine were damaged; they were set aside and are begun anew.", "Nothing to do; the notes are as they were."),
    "VM971": Code(_W, "The notebook could not be brought up to date.", "Do what the message says, then run `vaultmem sync`."),
    "VM972": Code(_W, "A file of the notebook is not as it must be; the last version stays in force.", "Correct the file, or run `vaultmem notebook restore`."),
    "VM973": Code(_W, "A file of the notebook is gone; its last version stays in force.", "Run `vaultmem notebook restore` to have it back, or `vaultmem notebook reset` to begin anew."),
    "VM974": Code(_W, "The notebook was changed while an agent could write; the last version stays in force.", "Look at it, then run `vaultmem notebook accept`, or `vaultmem notebook restore` to have the last version back."),
    "VM975": Code(_W, "A file of the notebook was removed while an agent could write; its last version stays in force.", "Run `vaultmem notebook restore` to have it back, or `vaultmem notebook accept` to let it go."),
    "VM976": Code(_I, "Damaged versions of the notebook were set aside on this machine.", "Nothing to do; delete the folder when you do not need it."),
    "VM977": Code(_W, "A file of the notebook holds a secret, so the edit is not published.", "Take the secret out and name where it is kept, or run `vaultmem notebook accept` if it is none."),
}
# fmt: on
"""Every code, by number; `finding` looks the severity and the usual remedy up here."""


def printable(text: str) -> str:
    """Foreign text as part of a finding's sentence: at most 60 printable characters."""
    return "".join(char if char.isprintable() else "?" for char in text[:60])


def finding(
    code: str,
    message: str | None = None,
    *,
    path: str | None = None,
    line: int | None = None,
    remedy: str | None = None,
) -> Finding:
    """Make a finding of a known code, with its usual words where none are given.

    Raises:
        KeyError: if the code is not in `CODES`.
    """
    known = CODES[code]
    return Finding(
        code, known.severity, path, line, message or known.meaning, remedy or known.remedy
    )
