import { useState } from 'preact/hooks';
import { readJson, useResource } from '../ui/index.ts';
import type { ShownCounts } from './data.ts';

export interface Counts {
	readonly value: ShownCounts | undefined;
	readonly error: string | undefined;
	/** Counts the store once more. */
	readonly again: () => void;
}

/** Milliseconds between two pieces of a count. */
const pace = 30;

/** Counts the store piece by piece: each reading examines the next part of it. */
export function useCounts(): Counts {
	/** When the count began that is to be replaced by a newer one. */
	const [stale, setStale] = useState<number>();
	const [isDone, setDone] = useState(false);
	const { value, error } = useResource<ShownCounts>('api/counts', isDone ? undefined : pace);
	const isComplete = value?.isComplete === true && value.startedAt !== stale;
	if (isComplete !== isDone) setDone(isComplete);
	const again = () => {
		const begun = readJson<ShownCounts>('api/counts?again=1', AbortSignal.timeout(10_000));
		begun.then(
			() => setStale(value?.startedAt),
			() => {},
		);
	};
	return { value, error, again };
}
