/** What can be odd about the threads that read pages, with the sentence for each. */
export const readerProblems = {
	'no-threads': 'no worker thread could be started; pages are parsed on the main thread',
} as const;
