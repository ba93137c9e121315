// `wayleave crawl`: the full document of every page, its links and the state of the crawl in SQLite, documents in a file
// too. Not a module: before modules are loaded there are the threads of V8 only, later also those for files.
const { existsSync, readdirSync } = require('node:fs');
const { stat } = require('node:fs/promises');
const { join } = require('node:path');

// The first heap of the trace is that of this thread.
globalThis.gc?.();
const threads = () => (existsSync('/proc/self/task') ? readdirSync('/proc/self/task').map(Number) : []);
const known = new Set(threads());
/** Threads that were not there before. */
function added() {
	const more = threads().filter((thread) => !known.has(thread));
	for (const thread of more) known.add(thread);
	return more;
}

async function main([origin, , folder]) {
	// The first use of a file starts the threads for files, so that those after them are readers.
	await stat(folder);
	const files = added();
	const { figures, tell } = await import('./report.mjs');
	tell({ threads: { files } });
	process.on('worker', () => tell({ threads: { readers: added() } }));

	const store = join(folder, 'crawl.db');
	const options = ['--delay', '0', '--store', `sqlite:${store}`, '--out', join(folder, 'pages.jsonl')];
	if (process.env.THREADS) options.push('--threads', process.env.THREADS);
	process.argv.splice(2, Number.POSITIVE_INFINITY, 'crawl', `${origin}/`, ...options);
	const { fileDriver } = await import('../../packages/io/dist/sql/drivers/choose.js');
	process.on('exit', () => {
		const measured = figures();
		// A page with the bytes of another one was read too, and found to be an alias.
		const query = 'select count(*) as pages from url where kind = 0 and status = 200';
		const database = fileDriver().open(store, 0);
		const [counted] = database.prepare(query).all([]);
		tell({ ...counted, ...measured });
		database.close();
	});
	await import('../../packages/wayleave/dist/bundle/bin.js');
}

void main(process.argv.slice(2));
