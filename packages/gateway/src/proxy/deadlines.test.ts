import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadlines } from './deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('calls back each waiter once after its time; a restarted one waits again', () => {
	const deadlines = new Deadlines(1000);
	const told: string[] = [];
	const waiting = (name: string) => ({ lateAt: 0, late: () => void told.push(name) });
	const [a, b, c] = [waiting('a'), waiting('b'), waiting('c')];
	deadlines.add(a);
	deadlines.add(b);
	vi.advanceTimersByTime(600);
	deadlines.add(c);
	deadlines.add(a);
	vi.advanceTimersByTime(500);
	expect(told).toEqual(['b']);
	deadlines.delete(c);
	vi.advanceTimersByTime(5000);
	expect(told).toEqual(['b', 'a']);
	deadlines.close();
	expect(vi.getTimerCount()).toBe(0);
});
