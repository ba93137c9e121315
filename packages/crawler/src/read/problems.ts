/** Problems of threads that read pages, with a sentence for each. */
export const readerProblems = {
	'no-threads': 'no worker thread could be started; pages are parsed on the main thread',
} as const;
