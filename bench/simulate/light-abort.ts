type Listener = () => void;

/** The members of an `AbortSignal` that the scheduler uses. */
class LightSignal {
	aborted = false;
	listeners: Listener[] | undefined;

	addEventListener(_: 'abort', listener: Listener): void {
		this.listeners ??= [];
		this.listeners.push(listener);
	}

	removeEventListener(_: 'abort', listener: Listener): void {
		this.listeners = this.listeners?.filter((each) => each !== listener);
	}
}

class LightController {
	readonly signal = new LightSignal();

	abort(): void {
		if (this.signal.aborted) return;
		this.signal.aborted = true;
		for (const listener of this.signal.listeners ?? []) listener();
		this.signal.listeners = undefined;
	}
}

/**
 * Replaces `AbortController` while the scheduler runs alone. It makes two for each request, and those of Node are entries
 * of a registry that the garbage collector has to finalise.
 *
 * @returns a function that takes it back
 */
export function useLightAborts(): () => void {
	const { AbortController } = globalThis;
	Object.assign(globalThis, { AbortController: LightController });
	return () => void Object.assign(globalThis, { AbortController });
}
