import type { Rule, Segment } from './types.ts';

/** A table that lines show: where its columns and rows begin and end. */
export interface Grid {
	readonly xs: readonly number[];
	readonly ys: readonly number[];
	/** Cells as `[row, column, rows, columns]`. */
	readonly cells: readonly (readonly [number, number, number, number])[];
}

/** Points: lines nearer than this are one. */
const near = 5;

/** Tables whose cells have lines around them. */
export function gridsOf(rules: readonly Rule[]): Grid[] {
	return componentsOf(rules).flatMap((part) => {
		const grid = gridOf(part);
		return grid === undefined ? [] : [grid];
	});
}

/** Lines that touch each other, in groups. */
function componentsOf(rules: readonly Rule[]): Rule[][] {
	const horizontal = rules.filter((rule) => rule.horizontal);
	const vertical = rules.filter((rule) => !rule.horizontal);
	if (horizontal.length * vertical.length > 4_000_000) return [];
	const parent = new Map<Rule, Rule>(rules.map((rule) => [rule, rule]));
	const rootOf = (rule: Rule): Rule => {
		let root = rule;
		while (parent.get(root) !== root) root = parent.get(root)!;
		parent.set(rule, root);
		return root;
	};
	for (const across of horizontal)
		for (const down of vertical)
			if (
				down.at >= across.from - near &&
				down.at <= across.to + near &&
				across.at >= down.from - near &&
				across.at <= down.to + near
			)
				parent.set(rootOf(down), rootOf(across));
	const groups = new Map<Rule, Rule[]>();
	for (const rule of rules) {
		const root = rootOf(rule);
		const group = groups.get(root);
		if (group === undefined) groups.set(root, [rule]);
		else group.push(rule);
	}
	return [...groups.values()];
}

/** Positions that are about the same become one. */
export function clustered(values: readonly number[], apart = near): number[] {
	const sorted = [...values].sort((a, b) => a - b);
	const clusters: number[][] = [];
	for (const value of sorted) {
		const last = clusters.at(-1);
		if (last !== undefined && value - last.at(-1)! < apart) last.push(value);
		else clusters.push([value]);
	}
	return clusters.map((cluster) => cluster.reduce((sum, value) => sum + value, 0) / cluster.length);
}

function gridOf(rules: readonly Rule[]): Grid | undefined {
	const xs = clustered(rules.filter((rule) => !rule.horizontal).map(({ at }) => at));
	const ys = withOpenRows(clustered(rules.filter((rule) => rule.horizontal).map(({ at }) => at)), xs, rules);
	if (xs.length < 3 || ys.length < 2 || xs.length > 60 || ys.length > 400) return undefined;
	return { xs, ys, cells: cellsOf(xs, ys, rules) };
}

/** Times the height of the highest row that a row without a line at one side has at most. */
const openRow = 2;

/** With the end of a row that a page divides: its sides go on, beyond the last line across, and nothing closes it. */
function withOpenRows(ys: readonly number[], xs: readonly number[], rules: readonly Rule[]): number[] {
	const [first, last] = [ys[0], ys.at(-1)];
	if (first === undefined || last === undefined || ys.length < 2) return [...ys];
	const most = Math.max(...ys.slice(1).map((y, at) => y - ys[at]!)) * openRow;
	const sides = rules.filter(({ horizontal }) => !horizontal);
	const [top, bottom] = [Math.min(...sides.map(({ from }) => from)), Math.max(...sides.map(({ to }) => to))];
	const reach = (isThere: (rule: Rule) => boolean) =>
		xs.every((x) => sides.some((rule) => Math.abs(rule.at - x) < near && isThere(rule)));
	const isAbove = first - top > near && first - top <= most && reach(({ from }) => from < top + near);
	const isBelow = bottom - last > near && bottom - last <= most && reach(({ to }) => to > bottom - near);
	return [...(isAbove ? [top] : []), ...ys, ...(isBelow ? [bottom] : [])];
}

/** Whether a line runs along this side of a cell. */
function hasRule(rules: readonly Rule[], horizontal: boolean, at: number, from: number, to: number): boolean {
	const middle = (from + to) / 2;
	return rules.some(
		(rule) =>
			rule.horizontal === horizontal &&
			Math.abs(rule.at - at) < near &&
			rule.from - near <= middle &&
			rule.to + near >= middle,
	);
}

function cellsOf(xs: readonly number[], ys: readonly number[], rules: readonly Rule[]): Grid['cells'] {
	const taken = new Set<string>();
	const cells: [number, number, number, number][] = [];
	for (let row = 0; row + 1 < ys.length; row++)
		for (let column = 0; column + 1 < xs.length; column++) {
			if (taken.has(`${row} ${column}`)) continue;
			let [wide, high] = [1, 1];
			while (
				column + wide + 1 < xs.length &&
				!taken.has(`${row} ${column + wide}`) &&
				!hasRule(rules, false, xs[column + wide]!, ys[row]!, ys[row + 1]!)
			)
				wide++;
			while (row + high + 1 < ys.length && !hasRule(rules, true, ys[row + high]!, xs[column]!, xs[column + wide]!))
				high++;
			for (let r = row; r < row + high; r++) for (let c = column; c < column + wide; c++) taken.add(`${r} ${c}`);
			cells.push([row, column, high, wide]);
		}
	return cells;
}

/** The segments inside of a grid, by cell; undefined for a box that is no table. */
export function fillGrid(grid: Grid, segments: readonly Segment[]): Segment[][] | undefined {
	const { xs, ys, cells } = grid;
	const filled = cells.map(([row, column, rows, columns]) =>
		segments.filter(({ x0, x1, y, size }) => {
			const [x, middle] = [(x0 + x1) / 2, y - size * 0.3];
			return x >= xs[column]! && x < xs[column + columns]! && middle >= ys[row]! && middle < ys[row + rows]!;
		}),
	);
	const full = filled.filter((cell) => cell.length > 0).length;
	return full >= 2 && full >= cells.length * 0.2 ? filled : undefined;
}

export const isInGrid = ({ xs, ys }: Grid, { x0, x1, y, size }: Segment): boolean => {
	const [x, middle] = [(x0 + x1) / 2, y - size * 0.3];
	return x >= xs[0]! && x <= xs.at(-1)! && middle >= ys[0]! && middle <= ys.at(-1)!;
};
