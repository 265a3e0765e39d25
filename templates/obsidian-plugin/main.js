/* Built by `just plugin` from src/; change it there. MIT licence. */
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/main.ts
var main_exports = {};
__export(main_exports, {
  default: () => VaultmemPlugin
});
module.exports = __toCommonJS(main_exports);
var import_obsidian2 = require("obsidian");

// src/boxes.ts
var BOX = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[) (\][ \t]+[^\p{L}\p{N}_%]*op_\d{3,6}(?!\w))/u;
var FENCE = /^[ \t]*(?:>[ \t]*)*(`{3,}|~{3,})(.*)$/;
var COMMENT_MARK = /%%|<!--|-->/g;
function tickOperations(text, bodyStart) {
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
function openAfter(comment, line) {
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

// src/change.ts
var import_obsidian = require("obsidian");

// src/refused.ts
var RefusedError = class extends Error {
  remedy;
  /** Of the note, from 1; null where no line is to blame. */
  line;
  constructor(problem, remedy, line = null) {
    super(problem);
    this.name = "RefusedError";
    this.remedy = remedy;
    this.line = line;
  }
};

// src/change.ts
async function changeNote(app, file, change) {
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
async function saveEditors(app, file) {
  for (const leaf of app.workspace.getLeavesOfType("markdown")) {
    if (leaf.view instanceof import_obsidian.MarkdownView && leaf.view.file?.path === file.path) {
      await leaf.view.save();
    }
  }
}
function decoded(bytes) {
  let text;
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

// src/deeds.ts
var decide = (type, ...words) => words.map((word) => ({
  id: `${word}-${type}`,
  name: `${word[0]?.toUpperCase() ?? ""}${word.slice(1)} this ${type}`,
  type,
  key: "decision",
  value: word,
  only: "there"
}));
var DEEDS = [
  ...decide("candidate", "approve", "reject", "defer"),
  ...decide("patch", "apply", "reject", "defer"),
  ...decide("promotion", "accept", "reject"),
  { id: "pin", name: "Pin this memory", type: "memory", key: "pinned", value: true, only: { not: true } },
  { id: "unpin", name: "Unpin this memory", type: "memory", key: "pinned", value: false, only: { is: true } },
  { id: "contest", name: "Contest this memory", type: "memory", key: "status", value: "contested", only: { not: "contested" } },
  { id: "uncontest", name: "Contest this memory no more", type: "memory", key: "status", value: "active", only: { is: "contested" } }
];
function isOffered(deed, properties) {
  if (properties["type"] !== deed.type) {
    return false;
  }
  if (deed.only === "there") {
    return deed.key in properties;
  }
  const now = properties[deed.key];
  return "is" in deed.only ? now === deed.only.is : now !== deed.only.not;
}

// src/places.ts
function propertiesOf(app, file) {
  return app.metadataCache.getFileCache(file)?.frontmatter ?? {};
}
function memoryRoots(app) {
  const settings = app.vault.getMarkdownFiles().filter((file) => file.name === "Settings.md");
  const ours = settings.filter((file) => propertiesOf(app, file)["type"] === "settings");
  return ours.map((file) => file.path.slice(0, -file.name.length)).filter((folder) => folder !== "");
}
function isOurs(app, file) {
  return memoryRoots(app).some((root) => file.path.startsWith(root));
}
function newestReport(app) {
  const folders = memoryRoots(app).map((root) => `${root}System/Reports/`);
  const reports = app.vault.getMarkdownFiles().filter((file) => folders.some((folder) => file.path.startsWith(folder)));
  return reports.reduce((newest, file) => newest === null || file.stat.mtime > newest.stat.mtime ? file : newest, null);
}
function openPromotion(app, memory) {
  const about = (file) => {
    const { type, memory: link, decision } = propertiesOf(app, file);
    const target = typeof link === "string" ? /^\[\[([^\]|#]+)/.exec(link)?.[1] : void 0;
    if (type !== "promotion" || decision === void 0 || target === void 0) {
      return false;
    }
    return app.metadataCache.getFirstLinkpathDest(target, file.path)?.path === memory.path;
  };
  const folders = memoryRoots(app).map((root) => `${root}Promotions/`);
  return app.vault.getMarkdownFiles().find((file) => folders.some((folder) => file.path.startsWith(folder)) && about(file)) ?? null;
}
function knowledgeNotes(app) {
  const roots = memoryRoots(app);
  return app.vault.getMarkdownFiles().filter((file) => !roots.some((root) => file.path.startsWith(root)));
}
function linkTo(app, target, from) {
  const name = app.metadataCache.fileToLinktext(target, from.path, true);
  if (/[[\]|#^]|%%/.test(name)) {
    throw new RefusedError(`No link can hold the name "${target.path}".`, "Rename the note first.");
  }
  return `[[${name}]]`;
}

// src/spelling.ts
var OTHER_KINDS = [
  /^(?:y|n|yes|no|on|off|true|false|null|~|<<|=)$/i,
  /^[-+]?(?:0b[01_]+|0o[0-7]+|0[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?)$/i,
  /^[-+]?(?:[0-9_]*\.[0-9_]*|[0-9]+)(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?\.(?:inf|nan)$/i
];
var LIKE_DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?$/;
var DATE = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2})(?::([0-9]{2}))?)?$/;
var PLAIN = /^(?!-(?:[-\s]|$))[^\s?:,[\]{}#&*!|>'"%@`][^\n]*$/;
var NOT_PLAIN = /:(?:\s|$)|\s#|\s$|[\t\x7f]/;
var UNPRINTABLE = "\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff";
var NEEDS_ESCAPE = new RegExp(`[${UNPRINTABLE}]|\\p{Cs}`, "u");
var ESCAPED = new RegExp(`["\\\\${UNPRINTABLE}]`, "g");
var SHORT = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "	": "\\t", "\r": "\\r" };
function spell(value, quote = "") {
  if (typeof value === "boolean") {
    return value ? "true" : "false";
  }
  if (quote === "'" && !NEEDS_ESCAPE.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return quote === "" && isPlain(value) ? value : doubleQuoted(value);
}
function isPlain(text) {
  const fits = PLAIN.test(text) && !NOT_PLAIN.test(text) && !NEEDS_ESCAPE.test(text);
  return fits && !OTHER_KINDS.some((kind) => kind.test(text)) && (!LIKE_DATE.test(text) || isDate(text));
}
function isDate(text) {
  const [, day, minute = "00:00", second = "00"] = DATE.exec(text) ?? [];
  const whole = `${day}T${minute}:${second}.000Z`;
  const moment = new Date(whole);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === whole;
}
function doubleQuoted(text) {
  return `"${text.replace(ESCAPED, (one) => SHORT[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

// src/splice.ts
var MAX_BLOCK = 256 * 1024;
var MAX_DEPTH = 100;
var OPEN = /^\uFEFF?---[ \t]*(\r?\n)/;
var CLOSE = /(?<=\n)---[ \t]*(?:\r?\n|$)/g;
var SOURCE_MODE = "Correct it in Obsidian's source mode, then run the command again.";
var BY_HAND = "Make the change by hand in Obsidian's source mode.";
var KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#&*!|>%@`[\]{},?:-][^#]*?|[?:-][^\s#][^#]*?))[ \t]*:(?=[ \t]|$)/;
var CONTINUED = /^(?:[ \t]+[^ \t]|-(?:[ \t]|$))/;
var COMMENT = /(?:^|[ \t])#/;
var COMMENT_OR_NOTHING = /^(?:#|$)/;
var BEFORE_COMMENT = /^[ \t]*(?:$|[ \t]#)/;
var MARKED = /(?:^|[\s[{,:])[&!]/;
function setProperty(text, key, value, parse) {
  const block = readBlock(text, parse);
  if (block.properties.get(key) === value) {
    return text;
  }
  const inner = text.slice(block.start, block.end);
  const lines = linesOf(inner);
  const at = findLine(lines, key, block);
  const span = at === null ? added(inner, lines, key, value, block) : replaced(lines, at, value);
  const changed = text.slice(0, block.start) + inner.slice(0, span.start) + span.text + inner.slice(span.end) + text.slice(block.end);
  check(changed, block, key, value, parse, at === null ? null : at + 2);
  return changed;
}
function readBlock(text, parse) {
  const opening = OPEN.exec(text);
  if (opening === null) {
    throw new RefusedError("The first line does not open properties with `---`.", SOURCE_MODE, 1);
  }
  const start = opening[0].length;
  CLOSE.lastIndex = start;
  const closing = CLOSE.exec(text);
  if (closing === null) {
    throw new RefusedError("No line `---` closes the properties.", "Add one after the last property.", 1);
  }
  const inner = text.slice(start, closing.index);
  refuseOdd(inner);
  return { start, end: closing.index, eol: opening[1] ?? "\n", properties: parsed(inner, parse) };
}
function refuseOdd(inner) {
  if (inner.length > MAX_BLOCK) {
    throw new RefusedError("The properties are larger than 256 KiB.", "Move text from them into the note.", 1);
  }
  let depth = 0;
  linesOf(inner).forEach(({ text }, number) => {
    if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) {
      throw new RefusedError("A control character stands in the properties.", SOURCE_MODE, number + 2);
    }
    if (text.startsWith("%") || /^(?:<{7}|={7}|>{7}|\|{7})(?:\s|$)/.test(text)) {
      throw new RefusedError("A line of the properties is none of a property.", SOURCE_MODE, number + 2);
    }
    for (const one of text) {
      depth += "[{".includes(one) ? 1 : "]}".includes(one) ? -1 : 0;
      if (depth > MAX_DEPTH) {
        throw new RefusedError("The properties are nested too deep.", SOURCE_MODE, number + 2);
      }
    }
  });
}
function parsed(inner, parse) {
  let found;
  try {
    found = parse(inner) ?? {};
  } catch (error) {
    const said = error instanceof Error ? error.message.split("\n")[0] : "It is no YAML.";
    throw new RefusedError(`The properties cannot be read: ${said}`, SOURCE_MODE, lineOf(error));
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    throw new RefusedError("What stands between the `---` are no properties.", SOURCE_MODE, 2);
  }
  return new Map(Object.entries(found));
}
function lineOf(error) {
  const places = typeof error === "object" && error !== null && "linePos" in error ? error.linePos : null;
  const first = Array.isArray(places) ? places[0] : null;
  const line = typeof first === "object" && first !== null && "line" in first ? first.line : null;
  return typeof line === "number" ? line + 1 : 2;
}
function linesOf(inner) {
  const lines = [];
  for (let at = 0; at < inner.length; ) {
    const next = inner.indexOf("\n", at);
    const end = next < 0 ? inner.length : next;
    lines.push({ at, text: inner.slice(at, end).replace(/\r$/, "") });
    at = end + 1;
  }
  return lines;
}
function findLine(lines, key, block) {
  const names = lines.map(({ text }) => nameOf(text));
  const same2 = names.flatMap((name, number) => name === key ? [number] : []);
  const second = same2[1];
  if (second !== void 0) {
    throw new RefusedError(`\`${key}\` is there twice.`, "Remove one of the two.", second + 2);
  }
  refuseClash(names, [...block.properties.keys(), key]);
  const line = same2[0];
  if (line !== void 0 !== block.properties.has(key)) {
    throw new RefusedError(`\`${key}\` does not stand on a line \`${key}: …\` of its own.`, BY_HAND, (line ?? 0) + 2);
  }
  return line ?? null;
}
function refuseClash(lines, names) {
  const seen = /* @__PURE__ */ new Map();
  for (const name of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== void 0 && other !== name) {
      const line = Math.max(lines.indexOf(name), lines.indexOf(other));
      throw new RefusedError(`\`${other}\` and \`${name}\` differ only in case.`, "Keep one of the two names.", line + 2);
    }
    seen.set(name.toLowerCase(), name);
  }
}
function nameOf(line) {
  const found = KEY.exec(line);
  return found === null ? null : found[1] ?? found[2]?.replaceAll("''", "'") ?? found[3] ?? null;
}
function added(inner, lines, key, value, block) {
  const odd = lines.findIndex(({ text }) => /^(?:[{[]|\.\.\.(?:\s|$))/.test(text));
  if (odd >= 0) {
    throw new RefusedError("Nothing can be added to these properties as they are written.", BY_HAND, odd + 2);
  }
  return { start: inner.length, end: inner.length, text: `${key}: ${spell(value)}${block.eol}` };
}
function replaced(lines, number, value) {
  const line = lines[number];
  const head = line === void 0 ? null : KEY.exec(line.text);
  if (line === void 0 || head === null) {
    throw new RefusedError("The property was not found again.", BY_HAND, number + 2);
  }
  const colon = head[0].length;
  const blanks = /^[ \t]*/.exec(line.text.slice(colon))?.[0].length ?? 0;
  const from = colon + blanks;
  const rest = line.text.slice(from);
  const isText = /^[|>]/.test(rest);
  const last = lastLine(lines, number, isText);
  if (isText || COMMENT_OR_NOTHING.test(rest) && isList(lines, number, last)) {
    return below(lines, number, last, colon, value);
  }
  if (COMMENT_OR_NOTHING.test(rest) && last === number) {
    return { start: line.at + colon, end: line.at + colon, text: ` ${spell(value)}` };
  }
  if (/^[&!]/.test(rest)) {
    throw new RefusedError("The value has an anchor or a tag, to which others may refer.", BY_HAND, number + 2);
  }
  if (last !== number) {
    throw new RefusedError("The value goes over several lines.", BY_HAND, number + 2);
  }
  const length = valueLength(rest);
  if (length === null || MARKED.test(rest.slice(0, length))) {
    throw new RefusedError("Where the value ends is not plain to see.", BY_HAND, number + 2);
  }
  const quote = rest.startsWith('"') ? '"' : rest.startsWith("'") ? "'" : "";
  return { start: line.at + from, end: line.at + from + length, text: spell(value, quote) };
}
function lastLine(lines, number, isText) {
  let last = number;
  for (let at = number + 1; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    const passes = text.trim() === "" || /^[ \t]*#/.test(text) && !(isText && /^[ \t]/.test(text));
    if (!passes && !CONTINUED.test(text) && !/^[\]}]/.test(text)) {
      break;
    }
    last = passes ? last : at;
  }
  return last;
}
function isList(lines, number, last) {
  const first = lines.slice(number + 1, last + 1).find(({ text }) => !/^[ \t]*(?:#|$)/.test(text));
  return first !== void 0 && /^[ \t]*-(?:[ \t]|$)/.test(first.text);
}
function below(lines, number, last, colon, value) {
  for (let at = number; at <= last; at += 1) {
    const text = (lines[at]?.text ?? "").slice(at === number ? colon : 0);
    if (COMMENT.test(text)) {
      throw new RefusedError("A comment stands inside the value.", "Move the comment above the property.", at + 2);
    }
    if (MARKED.test(text)) {
      throw new RefusedError("The value has an anchor or a tag, to which others may refer.", BY_HAND, at + 2);
    }
  }
  const end = lines[last];
  const first = lines[number];
  if (end === void 0 || first === void 0) {
    throw new RefusedError("The property was not found again.", BY_HAND, number + 2);
  }
  return { start: first.at + colon, end: end.at + end.text.trimEnd().length, text: ` ${spell(value)}` };
}
function valueLength(rest) {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(rest);
  if (/^["']/.test(rest)) {
    return quoted !== null && BEFORE_COMMENT.test(rest.slice(quoted[0].length)) ? quoted[0].length : null;
  }
  const alias = /^\*[^\s,[\]{}]+/.exec(rest);
  if (alias !== null) {
    return BEFORE_COMMENT.test(rest.slice(alias[0].length)) ? alias[0].length : null;
  }
  const plain = rest.replace(/[ \t]#[^]*$/, "").trimEnd();
  if (/^[[{]/.test(rest)) {
    const simple = /^(?:\[[^"'#]*\]|\{[^"'#]*\})$/.test(plain);
    return simple ? plain.length : null;
  }
  return plain.length;
}
function check(changed, before, key, value, parse, line) {
  const after = readBlock(changed, parse);
  const others = (block) => [...block.properties].filter(([name]) => name !== key);
  if (after.properties.get(key) !== value || !same(others(before), others(after))) {
    throw new RefusedError("This change would alter another property of the note.", BY_HAND, line);
  }
}
function same(one, other) {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) {
    return Object.is(one, other);
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  if (keys.length !== others.length || Array.isArray(one) !== Array.isArray(other)) {
    return false;
  }
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return keys.every((name, at) => name === others[at] && same(left.get(name), right.get(name)));
}

// src/main.ts
var NEXT = "`vaultmem sync` (or `watch`) applies it.";
var UNTIL_CLOSED = 0;
var VaultmemPlugin = class extends import_obsidian2.Plugin {
  onload() {
    for (const deed of DEEDS) {
      this.#offer(
        deed.id,
        deed.name,
        (properties) => isOffered(deed, properties),
        (file) => this.#set(file, deed.type, deed.key, deed.value)
      );
    }
    const isOpen = (properties) => properties["type"] === "patch" && "decision" in properties;
    this.#offer("tick-patch", "Tick all operations of this patch", isOpen, (file) => this.#tick(file));
    this.#offer("link-knowledge", "Insert a knowledge note as vault_ref", ({ type }) => type === "memory", (file) => this.#link(file));
    this.#offer("promote", "Promote this memory", ({ type }) => type === "memory", (file) => this.#promote(file));
    this.addCommand({ id: "report", name: "Show the newest report", callback: () => this.#guard(() => this.#report()) });
  }
  /** Add a command that is there for the notes that `wanted` takes, and tells what refuses it. */
  #offer(id, name, wanted, act) {
    const checkCallback = (checking) => {
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
  #guard(act, file) {
    Promise.resolve().then(act).catch((error) => {
      const refused = error instanceof RefusedError;
      const line = refused && error.line !== null ? `, line ${error.line}` : "";
      const where = file === void 0 ? "" : `${file.path}${line}: `;
      const said = error instanceof Error ? error.message : String(error);
      say(`${where}${said} ${refused ? error.remedy : "Nothing was written."}`, UNTIL_CLOSED);
    });
  }
  async #set(file, type, key, value) {
    const wrote = await this.#change(file, type, (text) => setProperty(text, key, value, import_obsidian2.parseYaml));
    say(wrote ? `Wrote \`${key}: ${value}\`. ${NEXT}` : `\`${key}\` is \`${value}\` already.`);
  }
  async #tick(file) {
    let ticked = 0;
    await this.#change(file, "patch", (text, bodyStart) => {
      const done = tickOperations(text, bodyStart);
      ticked = done.ticked;
      return done.text;
    });
    say(ticked > 0 ? `Ticked ${ticked}. They wait for the command "Apply this patch".` : "There is no empty box.");
  }
  /** Change the note if it still is of that type; what Obsidian believes may be old. */
  #change(file, type, change) {
    return changeNote(this.app, file, (text) => {
      const block = readBlock(text, import_obsidian2.parseYaml);
      if (block.properties.get("type") !== type) {
        throw new RefusedError(`The note is no ${type} any more.`, "Look at it first.", 1);
      }
      return change(text, block.end);
    });
  }
  #link(memory) {
    new NoteChooser(
      this.app,
      (note) => this.#guard(() => this.#set(memory, "memory", "vault_ref", linkTo(this.app, note, memory)), memory)
    ).open();
  }
  /**
   * Open the proposal that waits, to be accepted or rejected with its own commands.
   *
   * What a memory may become is worked out by vaultmem, and no property asks for it.
   */
  async #promote(file) {
    const waiting = openPromotion(this.app, file);
    if (waiting !== null) {
      await this.app.workspace.getLeaf("tab").openFile(waiting);
      say("This promotion waits for you. Accept or reject it here.");
      return;
    }
    const id = propertiesOf(this.app, file)["id"];
    const said = typeof id === "string" && /^\w+$/.test(id) ? `Run \`vaultmem promote propose ${id} --to FORM\` in a terminal; it writes a proposal that you decide on here.` : "The memory has no id yet. Run `vaultmem sync` first.";
    say(said, UNTIL_CLOSED);
  }
  async #report() {
    const report = newestReport(this.app);
    const leaf = report === null ? null : this.app.workspace.getRightLeaf(false);
    if (report === null || leaf === null) {
      say("There is no report in this vault. Run `vaultmem render` in a terminal.", UNTIL_CLOSED);
      return;
    }
    await leaf.openFile(report, { active: false, state: { mode: "preview" } });
    await this.app.workspace.revealLeaf(leaf);
  }
};
function say(text, duration) {
  new import_obsidian2.Notice(text, duration).messageEl.addClass("vaultmem-said");
}
var NoteChooser = class extends import_obsidian2.FuzzySuggestModal {
  #chosen;
  constructor(app, chosen) {
    super(app);
    this.#chosen = chosen;
    this.setPlaceholder("The note that says more about this memory");
  }
  getItems() {
    return knowledgeNotes(this.app);
  }
  getItemText(note) {
    return note.path;
  }
  onChooseItem(note) {
    this.#chosen(note);
  }
};
