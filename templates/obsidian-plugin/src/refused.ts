/** A change that was not made, with the line that is in the way and what the person can do. */

export class RefusedError extends Error {
	readonly remedy: string;
	/** Of the note, from 1; null where no line is to blame. */
	readonly line: number | null;

	constructor(problem: string, remedy: string, line: number | null = null) {
		super(problem);
		this.name = "RefusedError";
		this.remedy = remedy;
		this.line = line;
	}
}
