import type { ComponentChildren } from 'preact';
import type { Tone } from './states.tsx';

export interface StatProps {
	readonly title: string;
	readonly value: string;
	/** Below the number: its share, or what it is counted from. */
	readonly detail?: ComponentChildren;
	/** The list of what is counted. */
	readonly href?: string | undefined;
	readonly tone?: Tone;
	/** Values over time, as a small line. */
	readonly trend?: readonly number[];
}

/** A figure that matters. */
export function Stat({ title, value, detail, href, tone = 'neutral', trend }: StatProps) {
	return (
		<div class={`stat ${tone}`}>
			<dt>{title}</dt>
			<dd class="stat-value">{href === undefined ? value : <a href={href}>{value}</a>}</dd>
			{detail !== undefined && <dd class="stat-detail">{detail}</dd>}
			{trend?.some((each) => each > 0) && (
				<dd class="stat-trend" aria-hidden="true">
					<Trend values={trend} />
				</dd>
			)}
		</div>
	);
}

/** Figures beside each other. */
export function Stats({ children }: { children: ComponentChildren }) {
	return <dl class="stats">{children}</dl>;
}

function Trend({ values }: { values: readonly number[] }) {
	const most = Math.max(1, ...values);
	const points = values.map(
		(value, at) => `${(at * 100) / Math.max(1, values.length - 1)},${24 - (22 * value) / most}`,
	);
	return (
		<svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
			<polyline points={points.join(' ')} />
		</svg>
	);
}
