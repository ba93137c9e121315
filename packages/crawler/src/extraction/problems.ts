/** What can be odd about the threads that read pages, with the sentence for each. */
export const readerProblems = {
	'no-threads': 'no thread could be started, and pages are read where the crawl runs',
} as const;
