// One crawl for documents.ts, in a process of its own; tells its processor time on descriptor 3.
const { writeSync } = require('node:fs');

const begin = process.cpuUsage();
const [, , ...flags] = process.argv;
process.argv.splice(2, Number.POSITIVE_INFINITY, 'crawl', ...flags);
process.on('exit', () => {
	const { user, system } = process.cpuUsage(begin);
	writeSync(3, JSON.stringify({ cpu: (user + system) / 1e6, rss: process.resourceUsage().maxRSS / 1024 }));
});
import('../packages/wayleave/dist/bundle/bin.js');
