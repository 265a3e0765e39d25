/** Loads `main.js` as Obsidian does and runs commands; input and output are JSON. */

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { runInThisContext } from "node:vm";

import { App, obsidian, Plugin, yamlOf, type Wish } from "./mock.mts";

const [main = "", modules = ""] = process.argv.slice(2);
const wish: Wish = JSON.parse(readFileSync(0, "utf-8"));
const parse = yamlOf(modules);
const app = new App(wish, parse);
const asked: string[] = [];
const given = obsidian(app, parse);
const load = runInThisContext(`(function (require, module, exports) {${readFileSync(main, "utf-8")}\n})`);
const holder: { exports: { default?: new (app: App) => Plugin & { onload(): void } } } = { exports: {} };
load(
	(name: string): unknown => {
		asked.push(name);
		return name === "obsidian" ? given : undefined;
	},
	holder,
	holder.exports,
);
const Made = holder.exports.default;
if (Made === undefined) {
	throw new Error("main.js exports no plugin");
}
const plugin = new Made(app);
plugin.onload();
const offered = () => [...plugin.commands.values()].filter((one) => one.checkCallback?.(true) ?? true).map((one) => one.id);
const before = offered();
for (const id of wish.run) {
	const command = plugin.commands.get(id);
	const ran = command?.checkCallback?.(false) ?? command?.callback?.();
	if (command === undefined || ran === false) {
		app.said.push(`not offered: ${id}`);
	}
	for (let turn = 0; turn < 20; turn += 1) {
		await setImmediate();
	}
}
const names = [...plugin.commands.values()].map(({ id, name }) => ({ id, name }));
process.stdout.write(JSON.stringify({ offered: before, said: app.said, shown: app.shown, written: app.written, asked, names }));
