import type { Agent } from './types.ts';

export function isIndexer({ categories = [] }: Agent): boolean {
	return categories.includes('search-indexer');
}

/** An agent without another role. */
export function onlyIndexes(agent: Agent): boolean {
	return isIndexer(agent) && agent.categories?.every((category) => category === 'search-indexer') === true;
}

/** Whether what it stores becomes a corpus for mining. */
export function buildsCorpus({ buildsCorpus: stated, categories = [] }: Agent): boolean {
	return stated ?? (categories.length === 0 || categories.includes('data-harvester'));
}
