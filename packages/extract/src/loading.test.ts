import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { detectAll } from 'tinyld';
import { describe, expect, it } from 'vitest';
import { detectAll as detectLazily } from './metadata/detector-node.ts';

/** Two packages that take as long to load as everything else: most callers need neither. */
const heavy = /node_modules\/(?:tinyld|gpt-tokenizer)\//;

async function bundled(options: BuildOptions) {
	const entryPoints = [fileURLToPath(new URL('index.ts', import.meta.url))];
	const { metafile, outputFiles } = await build({
		entryPoints,
		bundle: true,
		format: 'esm',
		write: false,
		metafile: true,
		...options,
	});
	return { inputs: Object.entries(metafile!.inputs), text: outputFiles![0]!.text };
}

describe('packages that take long to load', () => {
	it('Node loads neither with the package', async () => {
		const { inputs } = await bundled({ platform: 'node', conditions: ['wayleave-source'] });
		const imported = inputs.flatMap(([, { imports }]) => imports.filter(({ kind }) => kind === 'import-statement'));
		expect(imported.length).toBeGreaterThan(100);
		expect(imported.map(({ path }) => path).filter((path) => heavy.test(path))).toEqual([]);
	});

	it('a bundle for Node has the detector inside and runs it at the first page that needs it', async () => {
		const { text } = await bundled({ platform: 'node', conditions: ['wayleave-source'] });
		const { extract } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
		const words = 'Der Hafen liegt an der Mündung des Flusses, und die Schiffe warten auf die Flut. '.repeat(4);
		expect(extract(`<p>${words}</p>`, 'https://example.com/').language).toBe('de');
	});

	it('a thread that starts from a text, in any folder, finds the detector', async () => {
		const detector = JSON.stringify(new URL('metadata/detector-node.ts', import.meta.url).href);
		const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
		const text = 'Der Hafen liegt an der Mündung des Flusses, und die Schiffe warten auf die Flut.';
		const code = `import(${loader})
			.then(({ register }) => { register(); return import(${detector}); })
			.then(({ detectAll }) => require('node:worker_threads').parentPort.postMessage(detectAll(${JSON.stringify(text)})[0].lang))`;
		const script = `new (require('node:worker_threads').Worker)(${JSON.stringify(code)}, { eval: true }).on('message', (lang) => console.log(lang))`;
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: tmpdir() });
		expect(stdout.trim()).toBe('de');
	});

	it('a bundle for browsers imports the detector, and no module of Node', async () => {
		const { inputs } = await bundled({ platform: 'neutral', conditions: ['wayleave-source'], mainFields: ['module'] });
		expect(inputs.map(([path]) => path)).toContainEqual(expect.stringMatching(/node_modules\/tinyld\//));
	});

	it('the detector that loads late gives the same as the other', () => {
		const text = 'La marea sube dos veces al día, y los barcos esperan en el puerto.';
		expect(detectLazily(text)).toEqual(detectAll(text));
		expect(detectLazily('')).toEqual(detectAll(''));
	});
});
