import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawScenes, recordScenes, type Scene, terminalPicture } from './terminal.ts';

it('the terminal of the README shows what the commands print now', { timeout: 120_000 }, async () => {
	const now = await recordScenes();
	const drawn = readLines(readFileSync(terminalPicture, 'utf8'));
	expect(shapeOf(drawn), 'npm run pictures draws it again').toEqual(shapeOf(readLines(drawScenes(now))));
	expect(now.flatMap(({ lines }) => lines).length).toBeGreaterThan(20);
});

it('every line is drawn as it was printed', () => {
	const scenes: Scene[] = [{ command: 'wayleave <a & b>', lines: ['"x"', '', '  1 < 2', 'long '.repeat(50)] }];
	expect(readLines(drawScenes(scenes))).toEqual(['$ wayleave <a & b>', '"x"', '  1 < 2', 'long '.repeat(50)]);
});

/** The lines of a picture. */
function readLines(svg: string): string[] {
	// A long line goes on in the next row.
	const whole = svg.replace(/<\/text>\n<text class="output more"[^>]*>/g, '');
	return [...whole.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text = '']) =>
		text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
	);
}

/** Without what differs from run to run: ports, times, and the number of requests that a slow machine repeats. */
function shapeOf(lines: readonly string[]): string[] {
	return lines.map((line) =>
		line
			.replace(/127\.0\.0\.1([:_])\d+/g, '127.0.0.1$1PORT')
			.replace(/\d+ requests in \S+( s)?/, 'N requests in TIME')
			.replace(/\d+ bytes/, 'N bytes')
			.replace(/(\S) {2,}/g, '$1  '),
	);
}
