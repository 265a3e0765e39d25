/** Sets one property in each of many notes; a line of JSON for each, in and out. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { yamlOf } from "./mock.mts";

const [sources = "", modules = ""] = process.argv.slice(2);
const { setProperty } = await import(pathToFileURL(`${sources}/splice.ts`).href);
const parse = yamlOf(modules);

function outcome({ data, key, value }: { data: string; key: string; value: string | boolean }): object {
	try {
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(data, "base64"));
		return { data: Buffer.from(setProperty(text, key, value, parse)).toString("base64") };
	} catch (error) {
		if (error instanceof Error && "remedy" in error && "line" in error) {
			return { problem: error.message, remedy: error.remedy, line: error.line };
		}
		if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
			return { problem: "It is not UTF-8.", remedy: "Save it as UTF-8.", line: 1 };
		}
		throw error;
	}
}

const lines = readFileSync(0, "utf-8").split("\n").filter((line) => line !== "");
process.stdout.write(lines.map((line) => `${JSON.stringify(outcome(JSON.parse(line)))}\n`).join(""));
