// Draws docs/pictures/terminal.svg from a real run against the example site.
// Usage: npm run pictures
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from '../../examples/site/build.ts';
import { serveFolder } from '../../packages/wayleave/src/commands/demo/static-server.ts';
import { commands, run } from '../../packages/wayleave/src/index.ts';
import { recordingTerminal } from '../../packages/wayleave/src/testing/recorder.ts';

export const terminalPicture = fileURLToPath(new URL('../../docs/pictures/terminal.svg', import.meta.url));

/** One command as it was typed, and the lines that it printed. */
export interface Scene {
	readonly command: string;
	readonly lines: readonly string[];
}

/** Columns of the terminal. */
const columns = 96;

/** `head` is how many lines are shown; the command then reads `… | head -N`. */
const script: readonly { readonly command: string; readonly head?: number }[] = [
	{ command: 'wayleave crawl SITE --out manual/ --delay 0.05' },
	{ command: 'wayleave fetch SITE/docs/calibration/ --format markdown', head: 9 },
	{ command: 'wayleave check SITE/private/roadmap/ --use read' },
];

/** Runs the commands in an empty folder against the example site. */
export async function recordScenes(port = 0): Promise<Scene[]> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-picture-'));
	const files = join(folder, 'site');
	buildSite(files, 'https://tidemark.example');
	const server = await serveFolder(files, { origin: 'https://tidemark.example', port });
	const scenes: Scene[] = [];
	try {
		for (const { command, head } of script) {
			const line = command.replace('SITE', `http://127.0.0.1:${server.port}`);
			const terminal = { ...recordingTerminal(folder), columns };
			await run(line.split(' ').slice(1), terminal, commands);
			const screen = (head === undefined ? terminal.screen() : terminal.stdout()).trimEnd();
			// A slow machine prints how far it is; a quick one is done before.
			const lines = screen.replace(/^\d+ pages? done, .*\n+/gm, '').split('\n');
			scenes.push({
				command: head === undefined ? line : `${line} | head -${head}`,
				lines: lines.slice(0, head),
			});
		}
	} finally {
		await server.close();
	}
	return scenes;
}

const lineHeight = 20;
const characterWidth = 8.43;
const padding = 18;
const titleHeight = 34;
/** Seconds for each character of a command and each line of output. */
const pace = { character: 0.035, line: 0.06, pause: 1.2 } as const;

/** A terminal that fills line by line; where animation is off, it is full from the beginning. */
export function drawScenes(scenes: readonly Scene[]): string {
	const rows: string[] = [];
	let seconds = 0.5;
	let y = titleHeight + padding + 4;
	const row = (kind: 'command' | 'output' | 'output more', text: string) => {
		const attributes = `class="${kind}" x="${padding}" y="${y}" style="animation-delay:${seconds.toFixed(2)}s"`;
		if (text !== '') rows.push(`<text ${attributes}>${escapeXml(text)}</text>`);
		y += lineHeight;
	};
	for (const { command, lines } of scenes) {
		row('command', `$ ${command}`);
		seconds += command.length * pace.character;
		for (const line of lines) {
			row('output', line.slice(0, columns));
			for (let at = columns; at < line.length; at += columns) row('output more', line.slice(at, at + columns));
			seconds += pace.line;
		}
		seconds += pace.pause;
		y += lineHeight / 2;
	}
	const width = Math.ceil(columns * characterWidth + 2 * padding);
	const height = Math.ceil(y + padding - lineHeight);
	const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
		(colour, at) => `<circle cx="${22 + at * 20}" cy="18" r="6" fill="${colour}"/>`,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;animation:appear .01s backwards}
.command{fill:#7ee787;font-weight:600}.output{fill:#e6edf3}
@keyframes appear{from{opacity:0}}
@media (prefers-reduced-motion:reduce){text{animation:none}}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#161b22" stroke="#3d444d"/>
${dots.join('')}
${rows.join('\n')}
</svg>
`;
}

const escapeXml = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const [, program] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
	writeFileSync(terminalPicture, drawScenes(await recordScenes(4080)));
	console.log(`wrote ${terminalPicture}`);
}
