import { count, cut } from './format.ts';
import { Empty, type Tone } from './states.tsx';

export interface Amount {
	readonly label: string;
	readonly value: number;
	/** The list of what is counted. */
	readonly href?: string;
	readonly tone?: Tone;
	/** Said after the number, such as `12 agents`. */
	readonly detail?: string;
}

/** Amounts below each other, the bar of each behind its label. */
export function BarList({
	label,
	amounts,
	empty,
	format = count,
}: {
	label: string;
	amounts: readonly Amount[];
	empty: string;
	format?: (value: number) => string;
}) {
	const most = Math.max(0, ...amounts.map(({ value }) => value));
	if (most === 0) return <Empty title={empty} />;
	return (
		<ul class="bar-list" aria-label={label}>
			{amounts.map((amount) => (
				<li key={amount.label}>
					<span
						class={`bar ${amount.tone ?? 'info'}`}
						style={{ width: `${(100 * amount.value) / most}%` }}
						aria-hidden="true"
					/>
					<span class="bar-label">
						{amount.href === undefined ? cut(amount.label) : <a href={amount.href}>{cut(amount.label)}</a>}
					</span>
					<span class="bar-value">
						{format(amount.value)}
						{amount.detail !== undefined && <span class="bar-detail"> {amount.detail}</span>}
					</span>
				</li>
			))}
		</ul>
	);
}
