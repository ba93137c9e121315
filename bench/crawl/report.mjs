/** What a contestant prints at its end: the time of all threads of the process, from its start. */
export function report(pages) {
	const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
	const seconds = performance.now() / 1000;
	console.log(JSON.stringify({ pages, cpu: (userCPUTime + systemCPUTime) / 1e6, seconds, rss: maxRSS / 1024 }));
}
