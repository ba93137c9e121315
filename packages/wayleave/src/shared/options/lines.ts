/** A line of a file that a person wrote, and where it is: `seeds.txt:12`. */
export interface Line {
	readonly text: string;
	readonly where: string;
}

/** The lines that say something: blank ones, and those that begin with `#`, are left out. */
export function linesOf(text: string, file: string): Line[] {
	return text
		.split(/\r?\n/)
		.map((line, at) => ({ text: line.trim(), where: `${file}:${at + 1}` }))
		.filter(({ text }) => text !== '' && !text.startsWith('#'));
}
