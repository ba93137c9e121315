/** The words of a class name that tell what an element is or how it stands (SOM-SPEC §5). */
const triggers: Readonly<Record<string, readonly string[]>> = {
	primary: ['primary', 'cta'],
	secondary: ['secondary'],
	danger: ['danger', 'destructive', 'delete'],
	warning: ['warning', 'caution'],
	success: ['success'],
	error: ['error', 'invalid'],
	disabled: ['disabled'],
	active: ['active', 'current'],
	selected: ['selected', 'checked'],
	hidden: ['hidden', 'sr-only'],
	loading: ['loading', 'spinner', 'skeleton'],
	collapsed: ['collapsed', 'is-closed'],
	expanded: ['expanded', 'is-open', 'show'],
	large: ['lg', 'large', 'xl'],
	small: ['sm', 'small', 'xs', 'mini'],
	card: ['card'],
	hero: ['hero', 'jumbotron', 'banner'],
	modal: ['modal', 'dialog', 'popup', 'overlay'],
	notification: ['toast', 'snackbar', 'notification', 'alert'],
	badge: ['badge', 'chip', 'tag', 'pill'],
	sticky: ['sticky', 'fixed', 'pinned'],
	required: ['required', 'mandatory'],
};

const hintOf = new Map(Object.entries(triggers).flatMap(([hint, words]) => words.map((word) => [word, hint] as const)));
const known = new Map<string, string[]>();

/** The hints of a `class` attribute: sorted, each once; undefined when there are none. */
export function hintsOf(className: string | undefined): string[] | undefined {
	if (className === undefined) return undefined;
	const hints = known.get(className) ?? readHints(className);
	// The same few class names come again and again on a page; unlimited memory would be another matter.
	if (known.size < 2_000) known.set(className, hints);
	return hints.length === 0 ? undefined : [...hints];
}

// A class counts by its words, not by its letters: "algorithm" is not "lg".
function readHints(className: string): string[] {
	const found = new Set<string>();
	for (const token of className.slice(0, 2_000).split(/\s+/)) {
		const plain = token.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
		const words = plain.split(/[-_:]+/);
		for (const [index, word] of words.entries()) {
			const hint = hintOf.get(word) ?? hintOf.get(`${word}-${words[index + 1]}`);
			if (hint !== undefined) found.add(hint);
		}
	}
	return [...found].sort();
}
