// `wayleave crawl`: the full document of every page, its links and the state of the crawl in SQLite, documents in a file too.
import { join } from 'node:path';
import { fileDriver } from '../../packages/io/dist/sql/drivers/choose.js';
import { figures } from './report.mjs';

const [origin, , folder] = process.argv.slice(2);
const store = join(folder, 'crawl.db');
const options = ['--delay', '0', '--store', `sqlite:${store}`, '--out', join(folder, 'pages.jsonl')];
if (process.env.THREADS) options.push('--threads', process.env.THREADS);
process.argv.splice(2, Number.POSITIVE_INFINITY, 'crawl', `${origin}/`, ...options);
process.on('exit', () => {
	const measured = figures();
	const query = "select count(*) as pages from page join url on url.id = page.url where outcome = 'fetched'";
	const database = fileDriver().open(store, 0);
	const [counted] = database.prepare(query).all([]);
	console.log(JSON.stringify({ ...counted, ...measured }));
	database.close();
});
await import('../../packages/wayleave/dist/bin.js');
