import { Status } from '../ui/index.ts';
import type { Pieces } from './use-pieces.ts';

/** Below a list in pieces: whether there is more, and the way to it. */
export function More({ of, what }: { of: Pieces<unknown>; what: string }) {
	if (of.error !== undefined) return <Status tone="bad">The store cannot be read ({of.error}).</Status>;
	const examined = of.examined > 0 ? `, ${of.examined} ${what} examined` : '';
	return (
		<div class="more">
			<Status>
				{of.isLoading ? 'Reading' : of.hasMore ? 'There may be more' : `${of.items.length} in all`}
				{examined}
				{of.isLoading ? ' …' : '.'}
			</Status>
			{of.hasMore && !of.isLoading && (
				<button type="button" onClick={of.more}>
					Read on
				</button>
			)}
		</div>
	);
}
