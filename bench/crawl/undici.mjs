// The limit: every page fetched, its address known beforehand, its bytes thrown away.
import { Pool } from 'undici';
import { report } from './report.mjs';

const [origin, count] = process.argv.slice(2);
const pool = new Pool(origin, { connections: 8 });
let next = 0;
let fetched = 0;
async function work() {
	while (next < Number(count)) {
		const page = next++;
		const { body, statusCode } = await pool.request({ path: page === 0 ? '/' : `/page/${page}`, method: 'GET' });
		await body.arrayBuffer();
		if (statusCode === 200) fetched++;
	}
}
await Promise.all(Array.from({ length: 8 }, work));
await pool.close();
report(fetched);
