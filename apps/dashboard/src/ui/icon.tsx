import type { IconNode } from 'lucide';
import { h } from 'preact';

/** A drawing of `lucide` beside a text: it says nothing that the text does not. */
export function Icon({ of, size = 18 }: { of: IconNode; size?: number }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
			{of.map(([name, attributes]) => h(name, attributes))}
		</svg>
	);
}
