/** The time of all threads of the process, from its start, and its largest resident size in MiB. */
export function figures() {
	const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
	return { cpu: (userCPUTime + systemCPUTime) / 1e6, seconds: performance.now() / 1000, rss: maxRSS / 1024 };
}

/** What a contestant prints at its end. */
export function report(pages) {
	console.log(JSON.stringify({ pages, ...figures() }));
}
