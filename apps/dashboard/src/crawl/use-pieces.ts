import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readJson } from '../ui/index.ts';

/** A list that the server sends piece by piece: each piece examines a bounded part of the store. */
export interface Pieces<Item> {
	readonly items: readonly Item[];
	/** Rows of the store that were examined, as far as the server says so. */
	readonly examined: number;
	readonly isLoading: boolean;
	/** There may be more. */
	readonly hasMore: boolean;
	readonly error: string | undefined;
	readonly more: () => void;
}

interface Piece<Item> {
	readonly items: readonly Item[];
	readonly examined?: number;
	readonly next?: string;
}

/** Items that are wanted before the list waits for a person, and pieces that are read for them. */
const wanted = 50;
const maxPieces = 40;

const nothing = { items: [], examined: 0, error: undefined, next: undefined };

/**
 * Reads a list until it has a screenful; `more` reads on.
 *
 * @param address with a query; undefined: nothing is read
 */
export function usePieces<Value, Item>(
	address: string | undefined,
	pieceOf: (value: Value) => Piece<Item>,
): Pieces<Item> {
	const [state, setState] = useState<
		Omit<Pieces<Item>, 'more' | 'isLoading' | 'hasMore'> & { next?: string | undefined }
	>(nothing);
	const [isLoading, setLoading] = useState(address !== undefined);
	const [goal, setGoal] = useState({ address, count: wanted });
	const next = useRef<string | undefined>(undefined);
	const count = useRef(0);
	useEffect(() => {
		if (goal.address === address) return;
		setState(nothing);
		next.current = undefined;
		count.current = 0;
		setGoal({ address, count: wanted });
	}, [address]);
	useEffect(() => {
		if (address === undefined || goal.address !== address) return;
		const stop = new AbortController();
		setLoading(true);
		const read = async () => {
			for (let pieces = 0; pieces < maxPieces && count.current < goal.count; pieces++) {
				const value = await readJson<Value>(next.current ? `${address}&after=${next.current}` : address, stop.signal);
				const piece = pieceOf(value);
				next.current = piece.next;
				count.current += piece.items.length;
				setState((last) => ({
					items: [...last.items, ...piece.items],
					examined: last.examined + (piece.examined ?? 0),
					error: undefined,
					next: piece.next,
				}));
				if (piece.next === undefined) break;
			}
			setLoading(false);
		};
		read().catch((error: unknown) => {
			if (stop.signal.aborted) return;
			setLoading(false);
			setState((last) => ({ ...last, error: error instanceof Error ? error.message : String(error) }));
		});
		return () => stop.abort();
	}, [goal]);
	const more = useCallback(() => setGoal((last) => ({ ...last, count: count.current + wanted })), []);
	return { ...state, isLoading, hasMore: state.next !== undefined, more };
}
